import type { User } from "@whytrace/contract";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { verificationMail } from "./mails.ts";
import { EMAIL_VERIFICATION, issueToken } from "./tokens.ts";

/** Mails another link, at most one in 60 seconds. Earlier links stay valid until one is used. */
export async function resendVerification(
  db: Database,
  limiter: RateLimiter,
  publicUrl: string,
  user: User,
): Promise<void> {
  if (user.isEmailVerified) return;
  await limiter.admit([{ name: "resend-verification", subject: user.id, limit: 1 }], 60_000);
  await transaction(db, async (trx) => {
    const token = await issueToken(trx, EMAIL_VERIFICATION, user.id);
    await queueMail(trx, verificationMail(publicUrl, user.email, token));
  });
}
