import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { RunLearner } from "../../insights/blame/run-learner.ts";
import { findLikely } from "./find-likely.ts";

const MAX_JOBS = 20;
const MAX_AGE_MS = 86_400_000;

interface CountedIssue {
  number: number;
  counted: number;
  likelyCounted: number;
  likelyAt: string | null;
}

/**
 * Adds the runs that were counted to issues, and asks for the likely decision of those that have twice as many runs as when it was
 * computed, or more runs and it is a day old. The caller has locked the workspace's issues.
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
  const due = rows
    .filter(
      ({ counted, likelyCounted, likelyAt }) =>
        counted >= 2 * likelyCounted || (likelyAt !== null && Date.now() - Date.parse(likelyAt) > MAX_AGE_MS),
    )
    .map(({ number }) => ({ number }));
  if (due.length === 0) return;
  await sql`
    insert into likely_jobs (workspace_id, number)
    select ${workspaceId}::uuid, number from json_to_recordset(${JSON.stringify(due)}::json) as due (number integer)
    on conflict (workspace_id, number) do nothing`.execute(trx);
}

export interface RefreshLikelyOptions {
  db: Database;
  learner: RunLearner;
  stopping: AbortSignal;
  onChanged: (workspaceId: WorkspaceId) => void;
}

/** Computes the likely decisions that are due. Two processes may compute the same one: the result is the same. */
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
    const own = await db.of(workspaceId);
    // If it fails, others come first at the next attempt.
    await sql`
      update likely_jobs set created_at = now() + interval '1 minute'
      where workspace_id = ${workspaceId} and number = ${number}`.execute(own);
    const likely = await findLikely(learner, workspaceId, number);
    await sql`
      update issues set likely = ${likely && JSON.stringify(likely)}::jsonb, likely_counted = counted, likely_at = now()
      where workspace_id = ${workspaceId} and number = ${number}`.execute(own);
    await sql`
      delete from likely_jobs where workspace_id = ${workspaceId} and number = ${number}`.execute(own);
    onChanged(workspaceId);
  }
}
