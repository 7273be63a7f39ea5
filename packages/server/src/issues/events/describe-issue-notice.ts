import { explanationSentence } from "@whytrace/contract";
import type { Issue } from "@whytrace/contract/schemas/issues/issues";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { NoticeContent } from "../../notifications/compose-notice.ts";
import { parseRange } from "../issue-range.ts";
import { readIssue } from "../read-issue.ts";
import { numberOfSubject } from "./issue-event.ts";

const WORDS: Readonly<Record<string, string>> = {
  "issue.new": "New",
  "issue.regressed": "Regressed",
  "issue.assigned": "Assigned to you",
};

/** What a mail about an issue says, as the issue is now; undefined if it is gone, or if the notice is about something else. */
export async function describeIssueNotice(
  db: Database,
  workspaceId: WorkspaceId,
  { type, subject }: { type: string; subject: string },
): Promise<NoticeContent | undefined> {
  const number = numberOfSubject(subject);
  const word = WORDS[type];
  if (number === undefined || word === undefined) return undefined;
  const range = parseRange({}, Date.now());
  const issue = await readIssue(db, workspaceId, number, { range, members: [] });
  if (!issue) return undefined;
  return {
    headline: `[#${issue.number}] ${word}: ${issue.title} · ${issue.agent}`,
    paragraphs: [
      `#${issue.number} ${issue.title}`,
      `${issue.agent}: ${runsOf(issue)} in the last 30 days.`,
      explanationSentence(issue),
      ...(issue.lastRelease === null ? [] : [`Last seen in release ${issue.lastRelease}.`]),
    ],
    action: { label: "Open the issue", path: `/issues/${issue.number}` },
  };
}

const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

function runsOf({ runs, share, people }: Issue): string {
  const counted = runs === 1 ? "1 run" : `${runs} runs`;
  const part = share ? `, ${percent(share.value)} of ${share.of}` : "";
  return `${counted}${part}${people === null ? "" : `, of ${people === 1 ? "1 person" : `${people} people`}`}`;
}
