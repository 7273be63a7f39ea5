import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { consumeToken, deleteTokens, EMAIL_VERIFICATION } from "./tokens.ts";

export async function verifyEmail(db: Database, token: string): Promise<void> {
  await transaction(db, async (trx) => {
    const userId = await consumeToken(trx, EMAIL_VERIFICATION, token);
    if (!userId) throw new HttpError(400, "Invalid or expired token");
    await sql`update users set email_verified_at = coalesce(email_verified_at, now()) where id = ${userId}`.execute(
      trx,
    );
    await deleteTokens(trx, EMAIL_VERIFICATION, userId);
  });
}
