import { composeMail } from "../mail/compose-mail.ts";
import type { Mail } from "../mail/mail.ts";
import { EMAIL_VERIFICATION, PASSWORD_RESET } from "./tokens.ts";

const NOT_YOU = "If this was not you, you can ignore this mail.";
/** What a person notices when it is gone, by the table that had it. */
const NOTICED = new Map([
  ["api_keys", "API keys"],
  ["passkeys", "passkeys"],
  ["totp_secrets", "authenticator app"],
  ["user_identities", "linked providers"],
  ["alert_channels", "channels of alerts"],
  ["trace_shares", "links to traces"],
  ["invitations", "invitations"],
]);

/** What was ended for the owner of an address that somebody else may have registered; undefined if nothing was. */
function endedText(taken: ReadonlyMap<string, number> | undefined): string | undefined {
  const ended = [...NOTICED].flatMap(([table, name]) => (taken?.get(table) ? name : []));
  if (ended.length === 0) return undefined;
  return `These were ended, because somebody else may have set them up before you confirmed this address: ${ended.join(", ")}. Create what you need again.`;
}

const THREE_DAYS_MINUTES = 3 * 24 * 60;

export const verificationMail = (publicUrl: string, recipient: string, token: string): Mail =>
  composeMail({
    recipient,
    subject: "Confirm your address for Whytrace",
    paragraphs: [
      "Please confirm that this address is yours. The link works once and expires in 24 hours.",
      "Open it in a browser that is signed in to your account. In any other browser, it ends everything that whoever registered the address has set up: password, sessions, API keys.",
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

export function passwordChangedMail(
  publicUrl: string,
  recipient: string,
  taken?: ReadonlyMap<string, number>,
): Mail {
  const ended = endedText(taken);
  return composeMail({
    recipient,
    subject: "Your Whytrace password was changed",
    paragraphs: [
      "The password of your account has just been changed, and your other sessions were ended.",
      ...(ended === undefined ? [] : [ended]),
    ],
    action: { label: "It was not me", url: `${publicUrl}/forgot-password` },
    footnote: "If you changed it yourself, you can ignore this mail.",
    expiresInMinutes: THREE_DAYS_MINUTES,
  });
}
