import { parseInstant } from "@whytrace/contract";
import {
  type IssueIgnoring,
  type IssueResolution,
  MAX_UNTIL_RUNS,
  RESOLVED_IN,
} from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { addNotices } from "../notifications/add-notices.ts";
import { releaseHash } from "../trace-store/problems/agent-releases.ts";
import { isMember } from "../workspaces/list-members.ts";
import { addTimelineEntry } from "./add-timeline-entry.ts";
import { type IssueEvent, subjectOf } from "./events/issue-event.ts";
import { runsOfIssues } from "./issue-sums.ts";
import type { WrittenWords } from "./masking/written-words.ts";
import { openStateOf, type StoredIssue, updateIssue } from "./stored-issue.ts";

/** Who changes an issue; undefined for an API key. */
export type ChangedBy = string | undefined;

export const CHANGE_ERRORS = [
  "in must be now, next or release",
  "release must be given if in is release",
  `untilRuns must be between 1 and ${MAX_UNTIL_RUNS}`,
  "untilDate must be in the future",
  "untilRuns and untilDate exclude each other",
  "assigneeId is not a member of this workspace",
  "externalUrl must be an http or https URL of at most 2000 characters",
  "url must be an http or https URL of at most 2000 characters",
];
export const SEEN_IN_RELEASE =
  "This issue was already seen in release <release>. Choose a later release, or resolve it now.";
export const NOT_RESOLVED = "This issue was not resolved";
const MAX_URL_LENGTH = 2_000;

/** A change of one issue. Its workspace's issues are locked. Returns what is announced of it, if anything. */
export type ChangeIssue = (
  trx: Database,
  workspaceId: WorkspaceId,
  issue: StoredIssue,
  by: ChangedBy,
) => Promise<IssueEvent | undefined>;

const isTouched = { isTouched: true } as const;

/** Says in which runs the fix is. */
export function resolveIssue(
  { in: given, release = null, note: sentNote = null, url: sentUrl = null }: IssueResolution,
  words: WrittenWords,
): ChangeIssue {
  const fixedIn = RESOLVED_IN.find((one) => one === given);
  if (fixedIn === undefined) throw new HttpError(400, "in must be now, next or release");
  if (fixedIn === "release" && !release) throw new HttpError(400, "release must be given if in is release");
  const note = words.text(sentNote);
  const url = words.text(sentUrl);
  if (url !== null) requireUrl("url", url);
  const named = fixedIn === "release" ? words.release(release) : null;
  return async (trx, workspaceId, issue, by) => {
    if (named !== null && (await wasSeenIn(trx, workspaceId, issue.number, named)))
      throw new HttpError(
        409,
        SEEN_IN_RELEASE.replace("<release>", () => named),
      );
    const { at, version } = await readClock(trx, workspaceId);
    const before = openStateOf(issue);
    const resolution = { in: fixedIn, at, version, release: named, note, url, exceptReleases: [], before };
    await updateIssue(
      trx,
      workspaceId,
      issue,
      { status: "resolved", resolution, regression: null, ignored: null },
      isTouched,
    );
    await addTimelineEntry(trx, workspaceId, {
      number: issue.number,
      kind: "resolved",
      by,
      details: { in: fixedIn, release: named, note, url },
    });
    return { number: issue.number, type: "issue.resolved" };
  };
}

async function wasSeenIn(
  trx: Database,
  workspaceId: WorkspaceId,
  number: number,
  release: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${runsOfIssues(workspaceId)}
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = ${number}
      and problem_runs.release_hash = ${releaseHash(release)} limit 1`.execute(trx);
  return rows.length > 0;
}

/** The database's clock, and the version of the workspace's totals. */
async function readClock(trx: Database, workspaceId: WorkspaceId): Promise<{ at: string; version: number }> {
  const [clock, totals] = await Promise.all([
    sql<{ at: string }>`select clock_timestamp() as at`.execute(trx),
    sql<{ version: number }>`select version from trace_totals where workspace_id = ${workspaceId}`.execute(
      trx,
    ),
  ]);
  return { at: clock.rows[0]?.at ?? new Date().toISOString(), version: totals.rows[0]?.version ?? 0 };
}

/** Announces nothing more of an issue until so many runs came, until a date, or for ever. */
export function ignoreIssue({ untilRuns = null, untilDate = null }: IssueIgnoring, now: number): ChangeIssue {
  if (untilRuns !== null && !isRunCount(untilRuns))
    throw new HttpError(400, `untilRuns must be between 1 and ${MAX_UNTIL_RUNS}`);
  const until = untilDate === null ? null : parseInstant(untilDate);
  if (until === undefined || (until !== null && until <= now))
    throw new HttpError(400, "untilDate must be in the future");
  if (untilRuns !== null && until !== null)
    throw new HttpError(400, "untilRuns and untilDate exclude each other");
  const date = until === null ? null : new Date(until).toISOString();
  return async (trx, workspaceId, issue, by) => {
    const { at } = await readClock(trx, workspaceId);
    const ignored = { at, untilRuns, untilDate: date, counted: 0, before: openStateOf(issue) };
    const update = { status: "ignored", ignored, resolution: null, regression: null } as const;
    await updateIssue(trx, workspaceId, issue, update, isTouched);
    await addTimelineEntry(trx, workspaceId, {
      number: issue.number,
      kind: "ignored",
      by,
      details: { untilRuns, untilDate: date },
    });
    return undefined;
  };
}

const isRunCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_UNTIL_RUNS;

/** Opens an issue, or says that a release which broke its resolution does not have the fix. An undo leaves nothing acknowledged. */
export function reopenIssue(
  {
    exceptRelease: sentRelease,
    isUndo = false,
  }: { exceptRelease?: string | null | undefined; isUndo?: boolean | undefined },
  words: WrittenWords,
): ChangeIssue {
  const exceptRelease = words.release(sentRelease);
  return async (trx, workspaceId, issue, by) => {
    const { number, resolution } = issue;
    if (exceptRelease) {
      if (!resolution) throw new HttpError(409, NOT_RESOLVED);
      const exceptReleases = [...resolution.exceptReleases, releaseHash(exceptRelease)];
      const update = {
        status: "resolved",
        resolution: { ...resolution, exceptReleases, before: openStateOf(issue) },
        regression: null,
      } as const;
      await updateIssue(trx, workspaceId, issue, update, isTouched);
      const details = { in: resolution.in, release: resolution.release, exceptRelease };
      await addTimelineEntry(trx, workspaceId, { number, kind: "resolved", by, details });
      return { number, type: "issue.resolved" };
    }
    const update = {
      status: "open",
      resolution: null,
      ignored: null,
      ...(isUndo ? openStateOf(issue) : { isAcknowledged: true, regression: null }),
    } as const;
    await updateIssue(trx, workspaceId, issue, update, isTouched);
    await addTimelineEntry(trx, workspaceId, { number, kind: "reopened", by });
    return { number, type: "issue.reopened", reason: by === undefined ? "by an API key" : "by a person" };
  };
}

export const acknowledgeIssue: ChangeIssue = async (trx, workspaceId, issue, by) => {
  await updateIssue(trx, workspaceId, issue, { isAcknowledged: true }, isTouched);
  await addTimelineEntry(trx, workspaceId, { number: issue.number, kind: "acknowledged", by });
  return undefined;
};

/** Throws 400 for somebody who is not a member. Call it behind the lock of issues: a member who leaves is unassigned behind it, too. */
export async function requireAssignee(
  trx: Database,
  workspaceId: WorkspaceId,
  assigneeId: string | null | undefined,
): Promise<void> {
  if (typeof assigneeId === "string" && !(await isMember(trx.directory, workspaceId, assigneeId)))
    throw new HttpError(400, "assigneeId is not a member of this workspace");
}

/** The assignee is checked by `requireAssignee`. */
export function assignIssue(assigneeId: string | null): ChangeIssue {
  return async (trx, workspaceId, issue, by) => {
    const isAcknowledged = issue.isAcknowledged || assigneeId !== null;
    await updateIssue(trx, workspaceId, issue, { assigneeId, isAcknowledged }, isTouched);
    const id = await addTimelineEntry(trx, workspaceId, {
      number: issue.number,
      kind: "assigned",
      by,
      details: { assigneeId },
    });
    // Whoever takes an issue needs no mail about it.
    if (assigneeId !== null && assigneeId !== by)
      await addNotices(trx, workspaceId, [
        {
          id,
          kind: "assigned",
          type: "issue.assigned",
          subject: subjectOf(issue.number),
          sequence: 0,
          recipientId: assigneeId,
          payload: null,
        },
      ]);
    return undefined;
  };
}

/** Links the issue of a tracker. */
export function linkIssue(sentUrl: string | null, words: WrittenWords): ChangeIssue {
  const externalUrl = words.text(sentUrl);
  if (externalUrl !== null) requireUrl("externalUrl", externalUrl);
  return async (trx, workspaceId, issue, by) => {
    await updateIssue(trx, workspaceId, issue, { externalUrl }, isTouched);
    await addTimelineEntry(trx, workspaceId, {
      number: issue.number,
      kind: "linked",
      by,
      details: { externalUrl },
    });
    return undefined;
  };
}

/** Links to other protocols could run scripts in the dashboard. */
export const isWebUrl = (text: string) =>
  URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);

function requireUrl(field: string, text: string) {
  if (!isWebUrl(text) || text.length > MAX_URL_LENGTH)
    throw new HttpError(400, `${field} must be an http or https URL of at most ${MAX_URL_LENGTH} characters`);
}
