import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import { forgetDevices } from "../auth/devices.ts";
import type { Passwords } from "../auth/passwords.ts";
import { endSessions } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { deleteSteps } from "../second-factor/sign-in-steps.ts";
import { recordSignIn } from "../workspaces/record-sign-in.ts";
import { passwordChangedMail } from "./mails.ts";
import { type AddressProof, proveAddress } from "./prove-address.ts";
import {
  consumeToken,
  deleteTokens,
  EMAIL_VERIFICATION,
  isTokenValid,
  PASSWORD_RESET,
  SIGN_IN,
} from "./tokens.ts";

const INVALID_TOKEN = "Invalid or expired token";

/** Sets a new password with a mailed token and ends every session. The token also proves the address. */
export async function resetPassword(
  {
    db,
    passwords,
    publicUrl,
    ...proof
  }: AddressProof & { db: Database; passwords: Passwords; publicUrl: string },
  { token, password }: { token: string; password: string },
  from: Pick<Origin, "ip" | "userAgent">,
): Promise<void> {
  // Rejects a forged token before the expensive password hash.
  if (!(await isTokenValid(db, PASSWORD_RESET, token))) throw new HttpError(400, INVALID_TOKEN);
  const passwordHash = await passwords.hash(password);
  await transaction(db, async (trx) => {
    const userId = await consumeToken(trx, PASSWORD_RESET, token);
    if (!userId) throw new HttpError(400, INVALID_TOKEN);
    const taken = await proveAddress(trx, userId, proof);
    const { rows } = await sql<{ email: string }>`
      update users set password_hash = ${passwordHash} where id = ${userId} returning email`.execute(trx);
    const [user] = rows;
    if (!user) throw new HttpError(400, INVALID_TOKEN);
    await endSessions(trx, userId);
    await forgetDevices(trx, userId);
    await deleteSteps(trx, userId);
    await deleteTokens(trx, PASSWORD_RESET, userId);
    await deleteTokens(trx, EMAIL_VERIFICATION, userId);
    await deleteTokens(trx, SIGN_IN, userId);
    await queueMail(trx, passwordChangedMail(publicUrl, user.email, taken));
    const actor = { kind: "user", id: userId, name: user.email } as const;
    await recordSignIn(trx, { actor, ...from }, { action: "password.changed" });
  });
}
