import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import { forgetDevices } from "../auth/devices.ts";
import type { Passwords } from "../auth/passwords.ts";
import { type CurrentSession, endSessions } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { deleteSteps } from "../second-factor/sign-in-steps.ts";
import { recordSignIn } from "../workspaces/record-sign-in.ts";
import { checkCurrentPassword } from "./check-current-password.ts";
import { passwordChangedMail } from "./mails.ts";
import { deleteTokens, PASSWORD_RESET, SIGN_IN } from "./tokens.ts";

/** Verifies the current password, sets a new one, and ends the user's other sessions. */
export async function changePassword(
  {
    db,
    passwords,
    publicUrl,
    origin,
  }: { db: Database; passwords: Passwords; publicUrl: string; origin: Origin },
  { id: sessionId, user }: CurrentSession,
  deviceToken: string | undefined,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<void> {
  const current = await checkCurrentPassword(db, passwords, user.id, currentPassword);
  const passwordHash = await passwords.hash(password);
  await transaction(db, async (trx) => {
    // If the password was reset in the meantime, the verified one is out of date, and the reset wins.
    const { rows: changed } = await sql`
      update users set password_hash = ${passwordHash}
      where id = ${user.id} and password_hash = ${current} returning id`.execute(trx);
    if (changed.length === 0) throw new HttpError(401, "Current password is incorrect");
    await endSessions(trx, user.id, sessionId);
    await forgetDevices(trx, user.id, deviceToken);
    await deleteSteps(trx, user.id);
    await deleteTokens(trx, PASSWORD_RESET, user.id);
    await deleteTokens(trx, SIGN_IN, user.id);
    await queueMail(trx, passwordChangedMail(publicUrl, user.email));
    await recordSignIn(trx, origin, { action: "password.changed" });
  });
}
