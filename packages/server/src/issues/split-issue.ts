import { signatureFromHex } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { addTimelineEntry } from "./add-timeline-entry.ts";
import type { ChangedBy } from "./change-issue.ts";
import { requireIssue } from "./require-issue.ts";
import { readIssues, type StoredIssue, updateIssue } from "./stored-issue.ts";

export const ONE_MUST_STAY = "At least one problem must stay in the issue";
export const NOT_ITS_PROBLEMS = "problems must be problems of this issue";

interface ProblemOfIssue {
  problem: number;
  formerNumber: number | null;
}

/**
 * Moves problems out of an issue: to the number that they had, if that is still merged into this issue, with the state that it had then;
 * otherwise to a new one, with the state of this issue. Returns the number. The caller has locked the workspace's issues.
 */
export async function splitIssue(
  trx: Database,
  workspaceId: WorkspaceId,
  { number, problems: ids, nextNumber }: { number: number; problems: readonly string[]; nextNumber: number },
  by: ChangedBy,
): Promise<number> {
  const issue = await requireIssue(trx, workspaceId, number);
  const { rows: own } = await sql<ProblemOfIssue & { hasRuns: boolean }>`
    select problem, former_number, exists (
      select from problem_runs where problem_runs.workspace_id = ${workspaceId}
        and problem_runs.problem = issue_problems.problem) as has_runs
    from issue_problems where workspace_id = ${workspaceId} and number = ${number} order by problem`.execute(
    trx,
  );
  const wanted = new Set(ids.map(signatureFromHex));
  const moved = own.filter(({ problem }) => wanted.has(problem));
  if (moved.length < wanted.size) throw new HttpError(400, NOT_ITS_PROBLEMS);
  const staying = own.filter(({ problem, hasRuns }) => hasRuns && !wanted.has(problem));
  if (staying.length === 0) throw new HttpError(400, ONE_MUST_STAY);
  const former = await formerIssue(trx, workspaceId, number, moved);
  const destination = former
    ? await restore(trx, workspaceId, former)
    : await create(trx, workspaceId, issue, moved, nextNumber);
  const problems = moved.map(({ problem }) => problem);
  await sql`
    update issue_problems set number = ${destination}, former_number = null
    where workspace_id = ${workspaceId} and problem = any(${problems}::bigint[])`.execute(trx);
  const firstProblem = problems.includes(issue.firstProblem)
    ? (staying[0]?.problem ?? issue.firstProblem)
    : issue.firstProblem;
  await updateIssue(trx, workspaceId, issue, { firstProblem }, { isTouched: true });
  const details = { from: number, into: destination };
  await addTimelineEntry(trx, workspaceId, { number, kind: "split", by, details });
  await addTimelineEntry(trx, workspaceId, { number: destination, kind: "split", by, details });
  return destination;
}

/** The issue that all these problems were in before, if it can be restored. */
async function formerIssue(
  trx: Database,
  workspaceId: WorkspaceId,
  number: number,
  moved: readonly ProblemOfIssue[],
): Promise<StoredIssue | undefined> {
  const [formerNumber, ...others] = new Set(moved.map((problem) => problem.formerNumber));
  if (formerNumber === undefined || formerNumber === null || others.length > 0) return undefined;
  const [former] = await readIssues(trx, workspaceId, [formerNumber]);
  return former?.mergedInto === number ? former : undefined;
}

async function restore(trx: Database, workspaceId: WorkspaceId, former: StoredIssue): Promise<number> {
  const update = { status: statusBefore(former), mergedInto: null };
  await updateIssue(trx, workspaceId, former, update, { isTouched: true });
  return former.number;
}

/** The state that an issue had before it was merged. A broken resolution stays with its regression. */
function statusBefore({ regression, ignored, resolution }: StoredIssue): StoredIssue["status"] {
  if (regression) return "open";
  if (ignored) return "ignored";
  return resolution ? "resolved" : "open";
}

async function create(
  trx: Database,
  workspaceId: WorkspaceId,
  { agentHash, status, resolution, regression, ignored }: StoredIssue,
  moved: readonly ProblemOfIssue[],
  nextNumber: number,
): Promise<number> {
  const { rows } = await sql<{ agentHash: number }>`
    select agent_hash from problem_runs
    where workspace_id = ${workspaceId} and problem = ${moved[0]?.problem ?? 0}::bigint limit 1`.execute(trx);
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await sql`
    insert into issues (workspace_id, number, first_problem, agent_hash, status, resolution, regression, ignored,
      is_acknowledged, touched_at)
    values (${workspaceId}, ${nextNumber}, ${moved[0]?.problem ?? 0}::bigint, ${rows[0]?.agentHash ?? agentHash},
      ${status}, ${json(resolution)}::jsonb, ${json(regression)}::jsonb, ${json(ignored)}::jsonb, true, now())`.execute(
    trx,
  );
  await sql`
    update issue_cursors set next_number = ${nextNumber + 1} where workspace_id = ${workspaceId}`.execute(
    trx,
  );
  return nextNumber;
}
