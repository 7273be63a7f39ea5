import { sql } from "kysely";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { passwordResetMail } from "./mails.ts";
import { issueToken, PASSWORD_RESET } from "./tokens.ts";

/** Mails a link to choose a new password. For an unknown address it does nothing, and the caller sees no difference. */
export async function forgotPassword(db: Database, publicUrl: string, email: string): Promise<void> {
  await transaction(db, async (trx) => {
    const { rows } = await sql<{ id: UserId }>`select id from users where email = ${email}`.execute(trx);
    const [user] = rows;
    if (!user) return;
    const token = await issueToken(trx, PASSWORD_RESET, user.id);
    await queueMail(trx, passwordResetMail(publicUrl, email, token));
  });
}
