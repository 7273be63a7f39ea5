import { composeMail } from "../mail/compose-mail.ts";
import type { Mail } from "../mail/mail.ts";

const THREE_DAYS_MINUTES = 3 * 24 * 60;

/** After many wrong codes: whoever tries them has given the right password, or has a session. */
export const guessedCodesMail = (publicUrl: string, recipient: string): Mail =>
  composeMail({
    recipient,
    subject: "Somebody knows your Whytrace password",
    paragraphs: [
      "Somebody gave your password, or uses a session of yours, and gave ten wrong codes of your second factor. None was accepted.",
      "If this was not you, change your password now: this ends all sessions. Your second factor keeps protecting the account.",
    ],
    action: { label: "Choose a new password", url: `${publicUrl}/forgot-password` },
    footnote: "If it was you, wait an hour, or use a passkey or a recovery code then.",
    expiresInMinutes: THREE_DAYS_MINUTES,
  });

export const factorsResetMail = (recipient: string): Mail =>
  composeMail({
    recipient,
    subject: "Your Whytrace second factor was removed",
    paragraphs: [
      "The operator of the server has removed your passkeys, your authenticator app and your recovery codes, and ended your sessions.",
      "Sign in with your password, and add a new second factor under Settings, Sign-in.",
    ],
    footnote: "If you did not ask the operator for this, tell them.",
    expiresInMinutes: THREE_DAYS_MINUTES,
  });
