import { sql } from "kysely";
import { hashToken, randomToken } from "../auth/random-token.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";

/** A kind of single-use token for links. Each kind has a table, which stores only hashes. */
export interface TokenKind {
  table: "email_verification_tokens" | "password_reset_tokens" | "sign_in_tokens";
  lifetimeMinutes: number;
}

export const EMAIL_VERIFICATION: TokenKind = { table: "email_verification_tokens", lifetimeMinutes: 24 * 60 };
export const PASSWORD_RESET: TokenKind = { table: "password_reset_tokens", lifetimeMinutes: 60 };
export const SIGN_IN: TokenKind = { table: "sign_in_tokens", lifetimeMinutes: 10 };

export async function issueToken(
  trx: Database,
  { table, lifetimeMinutes }: TokenKind,
  userId: UserId,
): Promise<string> {
  const token = randomToken();
  await sql`
    insert into ${sql.table(table)} (token_hash, user_id, expires_at)
    values (${hashToken(token)}, ${userId}, now() + ${lifetimeMinutes} * interval '1 minute')`.execute(trx);
  return token;
}

/** Whether a token is valid now. Another request may consume it at any time, so only `consumeToken` decides. */
export async function isTokenValid(db: Database, { table }: TokenKind, token: string): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)} where token_hash = ${hashToken(token)} and expires_at > now()`.execute(
    db,
  );
  return rows.length > 0;
}

/** Deletes the token and returns its user. If two callers use the same token, one of them gets undefined. */
export async function consumeToken(
  trx: Database,
  { table }: TokenKind,
  token: string,
): Promise<UserId | undefined> {
  const { rows } = await sql<{ userId: UserId }>`
    delete from ${sql.table(table)} where token_hash = ${hashToken(token)} and expires_at > now()
    returning user_id`.execute(trx);
  return rows[0]?.userId;
}

/** Deletes all tokens of this kind that the user has. */
export async function deleteTokens(trx: Database, { table }: TokenKind, userId: UserId): Promise<void> {
  await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(trx);
}

export async function sweepTokens(db: Database): Promise<void> {
  for (const { table } of [EMAIL_VERIFICATION, PASSWORD_RESET, SIGN_IN])
    await sql`delete from ${sql.table(table)} where expires_at <= now()`.execute(db);
}
