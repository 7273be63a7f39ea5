import { sql } from "kysely";
import { OPERATOR } from "../audit/record-event.ts";
import { endSessions } from "../auth/sessions.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { recordSignIn } from "../workspaces/record-sign-in.ts";
import { factorsResetMail } from "./mails.ts";
import { deletePasskeys } from "./passkeys/stored-passkeys.ts";
import { deleteRecoveryCodes } from "./recovery-codes.ts";
import { deleteSteps } from "./sign-in-steps.ts";
import { deleteTotp } from "./totp/totp-secrets.ts";

/**
 * Removes every second factor of a person who lost them all, ends their sessions, and tells them by mail. Only the operator
 * can do it. Returns false if nobody has the address.
 */
export function resetSecondFactor(db: Database, email: string): Promise<boolean> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ id: UserId }>`
      select id from users where email = ${email.toLowerCase()} for no key update`.execute(trx);
    const [user] = rows;
    if (!user) return false;
    const target = { kind: "user", id: user.id, name: email.toLowerCase() };
    const details = { method: "all" };
    await deleteFactors(trx, user.id);
    await endSessions(trx, user.id);
    await queueMail(trx, factorsResetMail(email.toLowerCase()));
    await recordSignIn(trx, OPERATOR, { action: "second-factor.removed", target, details }, user.id);
    return true;
  });
}

/** Deletes all second factors of a person, and sign-ins that wait for one. */
async function deleteFactors(trx: Database, userId: UserId): Promise<void> {
  await deleteTotp(trx, userId);
  await deletePasskeys(trx, userId);
  await deleteRecoveryCodes(trx, userId);
  await deleteSteps(trx, userId);
}
