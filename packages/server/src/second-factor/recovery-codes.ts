import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { hashToken } from "../auth/random-token.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { toBase32 } from "./totp/base32.ts";

const CODES = 10;
/** 80 random bits cannot be guessed, so a fast hash without a salt is enough. */
const CODE_BYTES = 10;

/** Replaces a person's recovery codes. Only hashes are stored: the codes are shown this once. */
export async function replaceRecoveryCodes(trx: Database, userId: UserId): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => toBase32(randomBytes(CODE_BYTES)).toLowerCase());
  await deleteRecoveryCodes(trx, userId);
  await sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, unnest(${codes.map(hashToken)}::bytea[])`.execute(trx);
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

/** Whether the code is one of the person's. It works once. */
export async function useRecoveryCode(db: Database, userId: UserId, code: string): Promise<boolean> {
  const typed = code.toLowerCase().replaceAll(/[^a-z2-7]/g, "");
  const { rows } = await sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${hashToken(typed)}
    returning user_id`.execute(db);
  return rows.length > 0;
}

export async function deleteRecoveryCodes(trx: Database, userId: UserId): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(trx);
}
