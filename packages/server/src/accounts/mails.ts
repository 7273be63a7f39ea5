import { composeMail } from "../mail/compose-mail.ts";
import type { Mail } from "../mail/mail.ts";
import { EMAIL_VERIFICATION, PASSWORD_RESET } from "./tokens.ts";

const NOT_YOU = "If this was not you, you can ignore this mail.";
const KEYS_REVOKED =
  "Your API keys were revoked, because somebody else may have created them before you confirmed this address. Create new ones for your agents.";
const THREE_DAYS_MINUTES = 3 * 24 * 60;

export const verificationMail = (publicUrl: string, recipient: string, token: string): Mail =>
  composeMail({
    recipient,
    subject: "Confirm your address for Whytrace",
    paragraphs: [
      "Please confirm that this address is yours. The link works once and expires in 24 hours.",
      "Open it in a browser that is signed in to your account. In any other browser, it ends the sessions and revokes the API keys of whoever registered the address.",
    ],
    action: { label: "Confirm address", url: `${publicUrl}/verify-email?token=${token}` },
    footnote: `Somebody registered this address with Whytrace at ${publicUrl}. ${NOT_YOU}`,
    expiresInMinutes: EMAIL_VERIFICATION.lifetimeMinutes,
  });

export const alreadyRegisteredMail = (publicUrl: string, recipient: string): Mail =>
  composeMail({
    recipient,
    subject: "You already have a Whytrace account",
    paragraphs: [
      "Somebody tried to register with this address, but it already has an account. Nothing has changed.",
      `Sign in at ${publicUrl}/login. If you forgot your password, you can choose a new one there.`,
    ],
    action: { label: "Sign in", url: `${publicUrl}/login` },
    footnote: NOT_YOU,
    expiresInMinutes: THREE_DAYS_MINUTES,
  });

export const passwordResetMail = (publicUrl: string, recipient: string, token: string): Mail =>
  composeMail({
    recipient,
    subject: "Choose a new Whytrace password",
    paragraphs: [
      "Use this link to choose a new password. It works once and expires in one hour. A new password ends all your sessions.",
    ],
    action: { label: "Choose a new password", url: `${publicUrl}/reset-password?token=${token}` },
    footnote: `Somebody requested this at ${publicUrl}. ${NOT_YOU} Your password stays unchanged.`,
    expiresInMinutes: PASSWORD_RESET.lifetimeMinutes,
  });

export const passwordChangedMail = (publicUrl: string, recipient: string, revokedKeys = 0): Mail =>
  composeMail({
    recipient,
    subject: "Your Whytrace password was changed",
    paragraphs: [
      "The password of your account has just been changed, and your other sessions were ended.",
      ...(revokedKeys > 0 ? [KEYS_REVOKED] : []),
    ],
    action: { label: "It was not me", url: `${publicUrl}/forgot-password` },
    footnote: "If you changed it yourself, you can ignore this mail.",
    expiresInMinutes: THREE_DAYS_MINUTES,
  });
