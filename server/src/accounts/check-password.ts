import { sql } from "kysely";
import type { Passwords } from "../auth/passwords.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";

/** Verifies a signed-in user's password and returns the hash it was verified against. */
export async function checkPassword(
  db: Database,
  passwords: Passwords,
  userId: string,
  password: string,
): Promise<string> {
  const { rows } = await sql<{ passwordHash: string }>`
    select password_hash from users where id = ${userId}`.execute(db);
  const current = rows[0]?.passwordHash;
  if (current === undefined || !(await passwords.verify(current, password)))
    throw new HttpError(401, "Current password is incorrect");
  return current;
}
