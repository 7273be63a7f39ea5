import { composeMail } from "../mail/compose-mail.ts";
import type { Mail } from "../mail/mail.ts";
import { messageIdOf } from "../mail/message-id.ts";
import { plainWords } from "../mail/plain-words.ts";
import { pageIn, type WorkspaceAddress, workspaceName } from "../workspaces/workspace-address.ts";

/** What a mail says. The titles of issues are text of runs, with changing parts masked; nothing else is. */
export interface NoticeContent {
  /** The subject of the mail, and the line in a digest. */
  headline: string;
  paragraphs: string[];
  /** A page of the workspace. */
  action: { label: string; path: string };
}

const MAX_SUBJECT_LENGTH = 120;
const MAX_DIGEST_LINES = 50;
const EXPIRES_IN_MINUTES = 24 * 60;

interface NoticeMail {
  id: string;
  recipient: string;
  publicUrl: string;
  workspace: WorkspaceAddress;
  unsubscribeToken: string;
  /** The id of the first mail about the same subject; undefined if this is it. */
  threadId?: string | undefined;
}

/** A mail about one notice. */
export const composeNotice = (
  { headline, paragraphs, action }: NoticeContent,
  { id, recipient, publicUrl, workspace, unsubscribeToken, threadId }: NoticeMail,
): Mail => ({
  id,
  ...composeMail({
    recipient,
    subject: oneLine(headline),
    paragraphs: paragraphs.map(plainWords),
    action: { label: action.label, url: pageIn(workspace, action.path) },
    footnote: footnoteOf(publicUrl, workspace),
    expiresInMinutes: EXPIRES_IN_MINUTES,
  }),
  headers: {
    ...unsubscribeHeaders(publicUrl, unsubscribeToken),
    ...(threadId !== undefined && {
      "In-Reply-To": messageIdOf(threadId),
      References: messageIdOf(threadId),
    }),
  },
});

/** One mail about all that was held back. */
export function composeDigest(
  contents: readonly NoticeContent[],
  { id, recipient, publicUrl, workspace, unsubscribeToken }: NoticeMail,
): Mail {
  const more = contents.length - MAX_DIGEST_LINES;
  return {
    id,
    ...composeMail({
      recipient,
      subject: contents.length === 1 ? "1 more issue" : `${contents.length} more issues`,
      paragraphs: [
        ...contents.slice(0, MAX_DIGEST_LINES).map(({ headline }) => oneLine(headline)),
        ...(more > 0 ? [`and ${more} more`] : []),
      ],
      action: { label: "Open the issues", url: pageIn(workspace, "/issues") },
      footnote: footnoteOf(publicUrl, workspace),
      expiresInMinutes: EXPIRES_IN_MINUTES,
    }),
    headers: unsubscribeHeaders(publicUrl, unsubscribeToken),
  };
}

const footnoteOf = (publicUrl: string, workspace: WorkspaceAddress) =>
  `You get this mail as a member of ${workspaceName(workspace)} at ${publicUrl}. You choose which mails you get under Settings > Account.`;

/** As RFC 8058 says: mail clients end the mails with one click. */
const unsubscribeHeaders = (publicUrl: string, token: string) => ({
  "List-Unsubscribe": `<${publicUrl}/unsubscribe?token=${token}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Without line breaks, which could add a header. */
function oneLine(text: string): string {
  const characters = Array.from(plainWords(text).trim());
  return characters.length <= MAX_SUBJECT_LENGTH
    ? characters.join("")
    : `${characters.slice(0, MAX_SUBJECT_LENGTH - 1).join("")}…`;
}
