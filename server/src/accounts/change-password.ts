import { sql } from "kysely";
import type { Passwords } from "../auth/passwords.ts";
import { type CurrentSession, endSessions } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { checkPassword } from "./check-password.ts";
import { passwordChangedMail } from "./mails.ts";
import { dropTokens, PASSWORD_RESET, SIGN_IN } from "./tokens.ts";

/** Changes the password of whoever knows the present one, and ends the user's other sessions. */
export async function changePassword(
  { db, passwords, publicUrl }: { db: Database; passwords: Passwords; publicUrl: string },
  { id: sessionId, user }: CurrentSession,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<void> {
  const current = await checkPassword(db, passwords, user.id, currentPassword);
  const passwordHash = await passwords.hash(password);
  await transaction(db, async (trx) => {
    // A reset that came in between wins: what was checked above is no longer the password.
    const { rows: changed } = await sql`
      update users set password_hash = ${passwordHash}
      where id = ${user.id} and password_hash = ${current} returning id`.execute(trx);
    if (changed.length === 0) throw new HttpError(401, "Current password is incorrect");
    await endSessions(trx, user.id, sessionId);
    await dropTokens(trx, PASSWORD_RESET, user.id);
    await dropTokens(trx, SIGN_IN, user.id);
    await queueMail(trx, passwordChangedMail(publicUrl, user.email));
  });
}
