import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { RunLearner } from "../../insights/blame/run-learner.ts";
import { findExplanation } from "./find-explanation.ts";

const MAX_JOBS = 20;
const DAY_MS = 86_400_000;
/** Runs often come in bulk: an issue that grew a little is explained when they have come. */
const MIN_WAIT_MS = 15_000;
const LITTLE_GROWTH = 1.1;

interface CountedIssue {
  number: number;
  counted: number;
  likelyCounted: number;
  likelyAt: string | null;
}

/**
 * Adds the runs that were counted to issues, and asks for the explanation of those that have twice as many runs as when it was
 * computed, or a tenth more, or more and it is a day old. The caller has locked the workspace's issues.
 */
export async function addCountedRuns(
  trx: Database,
  workspaceId: WorkspaceId,
  added: readonly { number: number; runs: number }[],
): Promise<void> {
  if (added.length === 0) return;
  const { rows } = await sql<CountedIssue>`
    update issues set counted = counted + added.runs
    from json_to_recordset(${JSON.stringify(added)}::json) as added (number integer, runs integer)
    where issues.workspace_id = ${workspaceId} and issues.number = added.number
    returning issues.number, issues.counted, issues.likely_counted, issues.likely_at`.execute(trx);
  const due = rows.flatMap((row) => {
    const waitMs = waitOf(row);
    return waitMs === undefined ? [] : { number: row.number, waitMs };
  });
  if (due.length === 0) return;
  await sql`
    insert into likely_jobs (workspace_id, number, created_at)
    select ${workspaceId}::uuid, number, now() + due."waitMs" * interval '1 millisecond'
    from json_to_recordset(${JSON.stringify(due)}::json) as due (number integer, "waitMs" integer)
    on conflict (workspace_id, number) do update
      set created_at = least(likely_jobs.created_at, excluded.created_at)`.execute(trx);
}

function waitOf({ counted, likelyCounted, likelyAt }: CountedIssue): number | undefined {
  if (counted >= 2 * likelyCounted) return 0;
  const isOld = likelyAt !== null && Date.now() - Date.parse(likelyAt) > DAY_MS;
  return isOld || counted >= LITTLE_GROWTH * likelyCounted ? MIN_WAIT_MS : undefined;
}

interface RefreshLikelyOptions {
  db: Database;
  learner: RunLearner;
  stopping: AbortSignal;
  onChanged: (workspaceId: WorkspaceId) => void;
}

/** Computes the explanations that are due. Two processes may compute the same one: the result is the same. */
export async function refreshLikely({
  db,
  learner,
  stopping,
  onChanged,
}: RefreshLikelyOptions): Promise<void> {
  const { rows } = await sql<{ workspaceId: WorkspaceId; number: number }>`
    select workspace_id, number from likely_jobs where created_at <= now()
    order by created_at limit ${MAX_JOBS}`.execute(db);
  for (const { workspaceId, number } of rows) {
    if (stopping.aborted) return;
    await refresh(await db.of(workspaceId), learner, workspaceId, number);
    onChanged(workspaceId);
  }
}

async function refresh(db: Database, learner: RunLearner, workspaceId: WorkspaceId, number: number) {
  const ofIssue = sql`workspace_id = ${workspaceId} and number = ${number}`;
  // If it fails, others come first at the next attempt.
  const leased = await sql<{ until: string }>`
    update likely_jobs set created_at = now() + interval '1 minute' where ${ofIssue}
    returning created_at::text as until`.execute(db);
  // Runs that are counted from now on may not be in the explanation.
  const known = await sql<{ counted: number }>`select counted from issues where ${ofIssue}`.execute(db);
  const explanation = await findExplanation(learner, workspaceId, number);
  const { rows } = await sql<{ ageMs: number }>`
    update issues set likely = ${JSON.stringify(explanation)}::jsonb, likely_counted = ${known.rows[0]?.counted ?? 0}, likely_at = now()
    where ${ofIssue}
    returning extract(epoch from now() - created_at)::double precision * 1000 as age_ms`.execute(db);
  const ageMs = rows[0]?.ageMs ?? DAY_MS;
  // One that was asked for meanwhile is due.
  const isLeased = sql`${ofIssue} and created_at = ${leased.rows[0]?.until ?? null}::timestamptz`;
  if (ageMs >= DAY_MS) await sql`delete from likely_jobs where ${isLeased}`.execute(db);
  // The runs that a new issue is compared with may still be on their way: again after as long as it exists.
  else
    await sql`
      update likely_jobs set created_at = now() + ${Math.round(Math.max(MIN_WAIT_MS, ageMs))} * interval '1 millisecond'
      where ${isLeased}`.execute(db);
}
