import { sql } from "kysely";
import { revokeKeysOf } from "../api-keys/revoke-api-key.ts";
import { forgetDevices } from "../auth/devices.ts";
import { endSessions } from "../auth/sessions.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { deleteFactors } from "../second-factor/reset-second-factor.ts";
import { deleteTokens, EMAIL_VERIFICATION, PASSWORD_RESET, SIGN_IN } from "./tokens.ts";

/**
 * For the owner of an address that somebody registered without proving it: what that person set up ends, that is password,
 * second factors, sessions and keys. The address is verified.
 */
export async function endUnprovenAccess(trx: Database, userId: UserId): Promise<void> {
  await sql`
    update users set email_verified_at = now(), password_hash = null, is_password_unproven = false
    where id = ${userId}`.execute(trx);
  await endSessions(trx, userId);
  await revokeKeysOf(trx, userId);
  await forgetDevices(trx, userId);
  await deleteFactors(trx, userId);
  for (const kind of [EMAIL_VERIFICATION, PASSWORD_RESET, SIGN_IN]) await deleteTokens(trx, kind, userId);
}
