import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { deleteTokens, EMAIL_VERIFICATION } from "./tokens.ts";

/** Verifies the address of a signed-in user who has presented a mailed token. */
export async function markVerified(trx: Database, userId: UserId): Promise<void> {
  await sql`
    update users set email_verified_at = now() where id = ${userId} and email_verified_at is null`.execute(
    trx,
  );
  await deleteTokens(trx, EMAIL_VERIFICATION, userId);
}
