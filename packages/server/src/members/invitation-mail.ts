import type { Role } from "@whytrace/contract";
import { composeMail } from "../mail/compose-mail.ts";
import type { Mail } from "../mail/mail.ts";

export const INVITATION_DAYS = 7;
const MAX_NAME_LENGTH = 60;
/** What mail programs turn into a link. */
const LINK = /:\/\/|www\.|@|\.\p{L}{2}/iu;

/** Whether a name that somebody chose may stand in a mail to a stranger: otherwise invitations would carry advertisements. */
const isHarmless = (name: string | null): name is string =>
  name !== null && name.length <= MAX_NAME_LENGTH && !LINK.test(name);

interface InvitationMail {
  recipient: string;
  url: string;
  publicUrl: string;
  role: Role;
  inviter: { name: string | null; email: string };
  workspace: string;
}

/** Has a fixed text: nobody can write into it. */
export function invitationMail(content: InvitationMail): Mail {
  const { recipient, url, publicUrl, role, inviter } = content;
  const who = isHarmless(inviter.name) ? inviter.name : inviter.email;
  const where = isHarmless(content.workspace) ? content.workspace : "a workspace";
  return composeMail({
    recipient,
    subject: `${who} invites you to ${where} on Whytrace`,
    paragraphs: [
      `${who} invites you to ${where} as ${role}. Members of a workspace see the same traces of agents.`,
      `The link works once and expires in ${INVITATION_DAYS} days. It is for this address only.`,
    ],
    action: { label: "Open the invitation", url },
    footnote: `${inviter.email} asked for this mail at ${publicUrl}. If you do not know them, you can ignore it.`,
    expiresInMinutes: INVITATION_DAYS * 24 * 60,
  });
}
