import { useQuery } from "@tanstack/react-query";
import type { CreatedInvitation, MailDelivery } from "@whytrace/contract";
import { registrationQuery } from "../../client/registration-query.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { SmallCopyButton } from "../../ui/controls/small-copy-button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** What became of the mails, by how the server sends mail. */
const MAILED: Record<MailDelivery, (to: string) => string> = {
  smtp: (to) => `We also sent one to ${to}.`,
  log: () => "This server writes its mails to its log: send the link yourself.",
  none: () => "Mail is not set up on this server: send the link yourself.",
};

/** The links of new invitations, which are shown this once. */
export function InvitationLinks({ invitations }: { invitations: readonly CreatedInvitation[] }) {
  const mail = useQuery(registrationQuery).data?.mail ?? "smtp";
  const [first, ...more] = invitations;
  if (!first) return null;
  const isMailed = invitations.every(({ mailed }) => mailed);
  const mailText =
    isMailed || mail === "none"
      ? MAILED[mail](more.length === 0 ? first.email : "each of them")
      : "Not every address got a mail: send the link yourself.";
  if (more.length === 0)
    return (
      <Notice tone="completed">
        <span className="grid gap-2">
          <span>Copy the link now, it is not shown again. {mailText}</span>
          <code className="break-all font-mono text-xs">{first.url}</code>
          <CopyButton text={first.url} label="Copy link" />
        </span>
      </Notice>
    );
  return (
    <Notice tone="completed">
      <span className="grid gap-2">
        <span>
          {invitations.length} people are invited. Copy the links now, they are not shown again. {mailText}
        </span>
        <ul className="grid gap-1">
          {invitations.map(({ id, email, url }) => (
            <li key={id} className="flex min-w-0 flex-wrap items-center gap-x-2">
              <span className="break-all">{email}</span>
              <SmallCopyButton label={`Copy the link for ${email}`} text={async () => url} />
            </li>
          ))}
        </ul>
        <CopyButton
          text={invitations.map(({ email, url }) => `${email} ${url}`).join("\n")}
          label="Copy all links"
        />
      </span>
    </Notice>
  );
}
