import type { Passwords } from "../auth/passwords.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { addPerson } from "./add-person.ts";
import { findInvitation, INVITATION_INVALID } from "./find-invitation.ts";
import { alreadyRegisteredMail, verificationMail } from "./mails.ts";
import { EMAIL_VERIFICATION, issueToken } from "./tokens.ts";

interface Registration {
  email: string;
  password: string;
  name: string | null;
  /** The token of an invitation: the person gets no workspace of their own. */
  invitation?: string | undefined;
  ip?: string | null;
  userAgent?: string | null;
}

export const INVITED_ADDRESS = "This invitation is for another address.";

interface RegisterOptions {
  db: Database;
  passwords: Passwords;
  publicUrl: string;
  freeSessionsPerDay: number;
  /** Whether a new person gets a workspace. */
  createsWorkspace?: boolean;
}

/** Creates an account, or notifies the owner by mail if the address has one. The caller sees no difference. */
export async function register(
  options: RegisterOptions,
  { email, password, name, invitation, ip = null, userAgent = null }: Registration,
): Promise<void> {
  const { db, passwords, publicUrl, freeSessionsPerDay, createsWorkspace = true } = options;
  const invited = invitation === undefined ? undefined : await findInvitation(db, invitation);
  if (invitation !== undefined && !invited) throw new HttpError(400, INVITATION_INVALID);
  if (invited && invited.email !== email) throw new HttpError(400, INVITED_ADDRESS);
  // The mailed link proves the address, as a link to verify it does.
  const isVerified = invited?.isMailed ?? false;
  const passwordHash = await passwords.hash(password);
  await transaction(db, async (trx) => {
    const hasWorkspace = !invited && createsWorkspace;
    const from = { ip, userAgent };
    const person = { email, name, passwordHash, isVerified, hasWorkspace, freeSessionsPerDay, from };
    const userId = await addPerson(trx, person);
    if (!userId) return queueMail(trx, alreadyRegisteredMail(publicUrl, email));
    if (isVerified) return;
    const token = await issueToken(trx, EMAIL_VERIFICATION, userId);
    await queueMail(trx, verificationMail(publicUrl, email, token));
  });
}
