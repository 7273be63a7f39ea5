import { sql } from "kysely";
import { hashToken, randomToken } from "../../server/src/auth/random-token.ts";
import type { Database } from "../../server/src/db/database.ts";

export async function userIdOf(db: Database, email: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from users where email = ${email}`.execute(db);
  const [user] = rows;
  if (!user) throw new Error(`${email} is not in the database: was it filled by bench/load-tenants.ts?`);
  return user.id;
}

/** A session without the password's slow hash; returns the cookie's token. */
export async function signIn(db: Database, userId: string): Promise<string> {
  const token = randomToken();
  await sql`
    insert into sessions (user_id, token_hash, expires_at)
    values (${userId}, ${hashToken(token)}, now() + interval '1 day')`.execute(db);
  return token;
}
