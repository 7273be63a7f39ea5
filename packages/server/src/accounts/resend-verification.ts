import type { SessionUser } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { verificationMail } from "./mails.ts";
import { EMAIL_VERIFICATION, issueToken } from "./tokens.ts";

const ONE_DAY_MS = 24 * 3_600_000;

/** Mails another link: at most one in 60 seconds, and five a day, as the address may be a stranger's. Earlier links stay valid until one is used. */
export async function resendVerification(
  db: Database,
  limiter: RateLimiter,
  publicUrl: string,
  user: SessionUser,
): Promise<void> {
  if (user.isEmailVerified) return;
  await limiter.admit([
    { name: "resend-verification", subject: user.id, limit: 1, windowMs: 60_000 },
    { name: "resend-verification-daily", subject: user.email, limit: 5, windowMs: ONE_DAY_MS },
  ]);
  await transaction(db, async (trx) => {
    const token = await issueToken(trx, EMAIL_VERIFICATION, user.id);
    await queueMail(trx, verificationMail(publicUrl, user.email, token));
  });
}
