import { sql } from "kysely";
import { hashToken, randomToken } from "../auth/random-token.ts";
import type { Database } from "../db/database.ts";

/** Single-use tokens of links: one table a kind, only their hashes in it. */
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
  userId: string,
): Promise<string> {
  const token = randomToken();
  await sql`
    insert into ${sql.table(table)} (token_hash, user_id, expires_at)
    values (${hashToken(token)}, ${userId}, now() + ${lifetimeMinutes} * interval '1 minute')`.execute(trx);
  return token;
}

/** Whether a token would be taken now. It may be gone a moment later: only `consumeToken` decides. */
export async function isTokenLive(db: Database, { table }: TokenKind, token: string): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)} where token_hash = ${hashToken(token)} and expires_at > now()`.execute(
    db,
  );
  return rows.length > 0;
}

/** Uses the token up and returns its user; of two callers with the same token one gets nothing. */
export async function consumeToken(
  trx: Database,
  { table }: TokenKind,
  token: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    delete from ${sql.table(table)} where token_hash = ${hashToken(token)} and expires_at > now()
    returning user_id`.execute(trx);
  return rows[0]?.userId;
}

/** The user's other tokens of the kind: whatever they were for is done. */
export async function dropTokens(trx: Database, { table }: TokenKind, userId: string): Promise<void> {
  await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(trx);
}

export async function sweepTokens(db: Database): Promise<void> {
  for (const { table } of [EMAIL_VERIFICATION, PASSWORD_RESET, SIGN_IN])
    await sql`delete from ${sql.table(table)} where expires_at <= now()`.execute(db);
}
