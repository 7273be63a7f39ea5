import { sql } from "kysely";
import type { Passwords } from "../auth/passwords.ts";
import type { CurrentSession } from "../auth/sessions.ts";
import type { UserId } from "../auth/user-id.ts";
import type { RateLimit } from "../config.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import type { RateLimiter } from "../http/rate-limit.ts";

/**
 * Limits the password guesses that a stolen session allows, like sign-ins but per session: strangers without a session
 * cannot use up this limit.
 */
export function admitPasswordCheck(
  limiter: RateLimiter,
  limit: RateLimit,
  { id }: CurrentSession,
): Promise<void> {
  return limiter.admit([{ ...limit, name: "password-check", subject: id }]);
}

/** Verifies a signed-in user's password and returns the hash it was verified against. */
export async function checkCurrentPassword(
  db: Database,
  passwords: Passwords,
  userId: UserId,
  password: string,
): Promise<string> {
  const { rows } = await sql<{ passwordHash: string | null }>`
    select password_hash from users where id = ${userId}`.execute(db);
  const current = rows[0]?.passwordHash ?? undefined;
  if (current === undefined || !(await passwords.verify(current, password)))
    throw new HttpError(401, "Current password is incorrect");
  return current;
}
