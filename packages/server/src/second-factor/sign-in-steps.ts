import { sql } from "kysely";
import { hashToken, randomToken } from "../auth/random-token.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";

const STEP_MINUTES = 5;
const MAX_ATTEMPTS = 5;

/**
 * Records that a person's password was right, and returns the token for the second step. Undefined if the password has
 * changed since it was verified: the row lock orders this and a password change, which deletes the steps.
 */
export async function startStep(
  db: Database,
  userId: UserId,
  passwordHash: string,
): Promise<string | undefined> {
  const token = randomToken();
  const { rows } = await sql`
    insert into sign_in_steps (token_hash, user_id, expires_at)
    select ${hashToken(token)}, id, now() + ${STEP_MINUTES} * interval '1 minute'
    from users where id = ${userId} and password_hash = ${passwordHash} for share
    returning user_id`.execute(db);
  return rows.length > 0 ? token : undefined;
}

/** Whose step it is; undefined if it has expired, was used, or was tried too often. */
export async function findStep(
  db: Database,
  token: string,
): Promise<{ userId: UserId; email: string } | undefined> {
  const { rows } = await sql<{ userId: UserId; email: string }>`
    select sign_in_steps.user_id, users.email
    from sign_in_steps join users on users.id = sign_in_steps.user_id
    where token_hash = ${hashToken(token)} and expires_at > now() and attempts < ${MAX_ATTEMPTS}`.execute(db);
  return rows[0];
}

/** Counts an attempt before it is checked, so that many at once are no more than the limit. */
export async function countAttempt(db: Database, token: string): Promise<boolean> {
  const { rows } = await sql`
    update sign_in_steps set attempts = attempts + 1
    where token_hash = ${hashToken(token)} and expires_at > now() and attempts < ${MAX_ATTEMPTS}
    returning user_id`.execute(db);
  return rows.length > 0;
}

/** Ends a step whose second factor was right. Returns false if it has ended meanwhile. */
export async function finishStep(trx: Database, userId: UserId, token: string): Promise<boolean> {
  // In the order of a password change: first the person, then the steps.
  await sql`select from users where id = ${userId} for share`.execute(trx);
  const { rows } = await sql`
    delete from sign_in_steps where token_hash = ${hashToken(token)} and user_id = ${userId}
      and expires_at > now() returning user_id`.execute(trx);
  return rows.length > 0;
}

export async function deleteSteps(trx: Database, userId: UserId): Promise<void> {
  await sql`delete from sign_in_steps where user_id = ${userId}`.execute(trx);
}

export async function sweepSteps(db: Database): Promise<void> {
  await sql`delete from sign_in_steps where expires_at <= now()`.execute(db);
}
