import type { Issue } from "@whytrace/contract/schemas/issues/issues";
import type { NotificationKind } from "@whytrace/contract/schemas/issues/notifications";
import { sql } from "kysely";
import { announce } from "../../channels/announce.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { addNotices } from "../../notifications/add-notices.ts";
import { noticeIdOf } from "../../notifications/notice.ts";
import { describeIssues } from "../describe-issues.ts";
import { parseRange } from "../issue-range.ts";
import { readIssueSums } from "../issue-sums.ts";
import { readIssues } from "../stored-issue.ts";
import { type IssueEvent, subjectOf } from "./issue-event.ts";

/** The setting of a member that decides about a mail; other events are not mailed. */
const MAIL_KINDS: Readonly<Partial<Record<IssueEvent["type"], NotificationKind>>> = {
  "issue.new": "newIssues",
  "issue.regressed": "regressions",
};

/**
 * Announces what happened to issues, to channels and by mail, in the transaction in which it happened: once, whatever is killed. The
 * caller has locked the workspace's issues.
 */
export async function tellIssues(
  trx: Database,
  workspaceId: WorkspaceId,
  events: readonly IssueEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const numbers = [...new Set(events.map(({ number }) => number))];
  const described = await describeChanged(trx, workspaceId, numbers);
  const sequences = await nextSequences(trx, workspaceId, events);
  const numbered = events.flatMap((event, index) => {
    const issue = described.get(event.number);
    const sequence = sequences[index];
    return issue && sequence !== undefined ? [{ event, issue, sequence }] : [];
  });
  await announce(
    trx,
    workspaceId,
    numbered.map(({ event, issue, sequence }) => ({
      type: event.type,
      subject: subjectOf(event.number),
      sequence,
      payload: payloadOf(event, issue),
      traceId: event.traceId ?? issue.newestTraceId,
    })),
  );
  await addNotices(
    trx,
    workspaceId,
    numbered.flatMap(({ event: { number, type }, sequence }) => {
      const kind = MAIL_KINDS[type];
      const subject = subjectOf(number);
      const id = noticeIdOf(workspaceId, subject, sequence);
      return kind ? { id, kind, type, subject, sequence, recipientId: null, payload: null } : [];
    }),
  );
}

async function describeChanged(
  trx: Database,
  workspaceId: WorkspaceId,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Issue>> {
  const range = parseRange({}, Date.now());
  const stored = await readIssues(trx, workspaceId, numbers);
  const sums = await readIssueSums(trx, workspaceId, range, { numbers });
  const issues = await describeIssues(trx, workspaceId, stored, { range, sums, members: [] });
  return new Map(issues.map((issue) => [issue.number, issue]));
}

/** The number of each event among those of its issue. */
async function nextSequences(
  trx: Database,
  workspaceId: WorkspaceId,
  events: readonly IssueEvent[],
): Promise<number[]> {
  const counts = [...Map.groupBy(events, ({ number }) => number)].map(([number, own]) => ({
    number,
    events: own.length,
  }));
  const { rows } = await sql<{ number: number; sequence: number }>`
    update issues set sequence = sequence + added.events
    from json_to_recordset(${JSON.stringify(counts)}::json) as added (number integer, events integer)
    where issues.workspace_id = ${workspaceId} and issues.number = added.number
    returning issues.number, issues.sequence`.execute(trx);
  const last = new Map(rows.map(({ number, sequence }) => [number, sequence]));
  const left = new Map(counts.map(({ number, events: own }) => [number, own]));
  return events.map(({ number }) => {
    const after = (left.get(number) ?? 1) - 1;
    left.set(number, after);
    return (last.get(number) ?? 0) - after;
  });
}

/** What receivers get. Of texts of runs it has the masked title alone. */
const payloadOf = ({ reason }: IssueEvent, issue: Issue) => ({
  ...(reason !== undefined && { reason }),
  issue: {
    number: issue.number,
    title: issue.title,
    agent: issue.agent,
    kind: issue.kind,
    state: issue.state,
    runs: issue.runs,
    share: issue.share,
    people: issue.people,
    firstSeen: issue.firstSeen,
    lastSeen: issue.lastSeen,
    release: issue.lastRelease,
    likely: issue.likely,
    exampleTraceId: issue.newestTraceId,
  },
});
