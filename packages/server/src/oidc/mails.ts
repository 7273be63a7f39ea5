import { composeMail } from "../mail/compose-mail.ts";
import type { Mail } from "../mail/mail.ts";

const THREE_DAYS_MINUTES = 3 * 24 * 60;

export const identityLinkedMail = (publicUrl: string, recipient: string, provider: string): Mail =>
  composeMail({
    recipient,
    subject: `You can now sign in to Whytrace with ${provider}`,
    paragraphs: [
      `Somebody signed in with ${provider} as ${recipient}, and ${provider} says that the address is theirs. Your account is linked to it from now on.`,
    ],
    action: { label: "See how you sign in", url: `${publicUrl}/settings/sign-in` },
    footnote: "If this was not you, unlink the provider there and tell the operator of the server.",
    expiresInMinutes: THREE_DAYS_MINUTES,
  });
