import { sql } from "kysely";
import type { Passwords } from "../auth/passwords.ts";
import type { UserId } from "../auth/user-id.ts";
import { createSubscription } from "../billing/create-subscription.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { alreadyRegisteredMail, verificationMail } from "./mails.ts";
import { EMAIL_VERIFICATION, issueToken } from "./tokens.ts";

export interface Registration {
  email: string;
  password: string;
  name: string | null;
}

export interface RegisterOptions {
  db: Database;
  passwords: Passwords;
  publicUrl: string;
  freeSessionsPerDay: number;
}

/** Creates an account, or notifies the owner by mail if the address has one. The caller sees no difference. */
export async function register(
  options: RegisterOptions,
  { email, password, name }: Registration,
): Promise<void> {
  const { db, passwords, publicUrl, freeSessionsPerDay } = options;
  const passwordHash = await passwords.hash(password);
  await transaction(db, async (trx) => {
    const { rows } = await sql<{ id: UserId }>`
      insert into users (email, name, password_hash) values (${email}, ${name}, ${passwordHash})
      on conflict (email) do nothing returning id`.execute(trx);
    const [user] = rows;
    if (!user) return queueMail(trx, alreadyRegisteredMail(publicUrl, email));
    await createSubscription(trx, await createWorkspace(trx, user.id), freeSessionsPerDay);
    const token = await issueToken(trx, EMAIL_VERIFICATION, user.id);
    await queueMail(trx, verificationMail(publicUrl, email, token));
  });
}
