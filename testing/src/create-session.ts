import { sql } from "kysely";
import { hashToken, randomToken } from "../../server/src/auth/random-token.ts";
import type { Database } from "../../server/src/db/database.ts";

export async function findUserId(db: Database, email: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from users where email = ${email}`.execute(db);
  const [user] = rows;
  if (!user) throw new Error(`No user ${email} in the database: run bench/load-tenants.ts first`);
  return user.id;
}

/** Inserts a session directly, which avoids the slow password hash; returns the token of its cookie. */
export async function createSession(db: Database, userId: string): Promise<string> {
  const token = randomToken();
  await sql`
    insert into sessions (user_id, token_hash, expires_at)
    values (${userId}, ${hashToken(token)}, now() + interval '1 day')`.execute(db);
  return token;
}
