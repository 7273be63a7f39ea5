import { sql } from "kysely";
import { revokeKeysOf } from "../api-keys/revoke-api-key.ts";
import { forgetDevices } from "../auth/devices.ts";
import { type CurrentSession, endSessions, lockSession } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { consumeToken, deleteTokens, EMAIL_VERIFICATION } from "./tokens.ts";

/**
 * Verifies an address with a mailed token. A session of the account in the same browser proves that the owner of the
 * address registered it. Without one, somebody else may have registered it: their sessions and API keys end, and the
 * next reset revokes keys that were created with their password in the meantime.
 */
export async function verifyEmail(
  db: Database,
  token: string,
  session: CurrentSession | undefined,
): Promise<void> {
  await transaction(db, async (trx) => {
    const userId = await consumeToken(trx, EMAIL_VERIFICATION, token);
    if (!userId) throw new HttpError(400, "Invalid or expired token");
    const isOwner = session?.user.id === userId && (await lockSession(trx, session.id));
    const { rows } = await sql`
      update users set email_verified_at = now(), is_password_unproven = ${!isOwner}
      where id = ${userId} and email_verified_at is null returning id`.execute(trx);
    if (rows.length > 0 && !isOwner) {
      await endSessions(trx, userId);
      await revokeKeysOf(trx, userId);
      await forgetDevices(trx, userId);
    }
    await deleteTokens(trx, EMAIL_VERIFICATION, userId);
  });
}
