import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** Which list of findings: of an agent, for a lens (its number), in the last days. */
export interface FindingsKey {
  agentHash: number;
  lens: number;
  windowDays: number;
}

export interface StoredFindings extends FindingsKey {
  /** Of the workspace's totals, read in the same snapshot as the runs. */
  version: number;
  /** Whether a request computed them: then the worker has not looked for changes up to this version. */
  isForRequest: boolean;
  /** Of the runs that were read. */
  digest: string;
  /** JSON values. */
  body: object;
  since: readonly object[];
}

/**
 * Stores findings, unless there are newer ones, or the agent has no runs any more. Returns whether they were stored. If the last run
 * is deleted at this moment, the worker deletes them within a day.
 */
export async function storeFindings(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, lens, windowDays, version, isForRequest, digest, body, since }: StoredFindings,
): Promise<boolean> {
  const { rows: runs } = await sql`
    select id from traces where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and decision_facts is not null
    limit 1`.execute(db);
  if (runs.length === 0) return false;
  const { numAffectedRows = 0n } = await sql`
    insert into why_findings as stored (workspace_id, agent_hash, lens, window_days, counted, digest, body, since)
    values (${workspaceId}, ${agentHash}, ${lens}, ${windowDays}, ${isForRequest ? 0 : version}, ${digest}, ${JSON.stringify(body)}::jsonb,
      ${JSON.stringify(since)}::jsonb)
    on conflict (workspace_id, agent_hash, lens, window_days) do update set
      counted = greatest(stored.counted, excluded.counted), digest = excluded.digest, computed_at = excluded.computed_at, body = excluded.body,
      since = excluded.since
    where stored.counted <= ${version}`.execute(db);
  return numAffectedRows > 0n;
}

/** Records that the runs of a list have not changed until a version of the totals. */
export async function confirmFindings(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, lens, windowDays }: FindingsKey,
  counted: number,
): Promise<void> {
  await sql`
    update why_findings set counted = ${counted}
    where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and lens = ${lens} and window_days = ${windowDays}
      and counted >= 0 and counted < ${counted}`.execute(db);
}

/** The findings of an agent, or of all, are computed again at the next look, or by the worker. */
export async function outdateFindings(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number | undefined,
): Promise<void> {
  const isWanted = agentHash === undefined ? sql`true` : sql`agent_hash = ${agentHash}`;
  await sql`
    update why_findings set counted = -1, digest = ''
    where workspace_id = ${workspaceId} and ${isWanted}`.execute(db);
}

export async function deleteFindings(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, lens, windowDays }: FindingsKey,
): Promise<void> {
  await sql`
    delete from why_findings
    where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and lens = ${lens} and window_days = ${windowDays}`.execute(
    db,
  );
}

/** Deletes the findings of those of the agents whose last run was deleted. */
export async function deleteFindingsWithoutRuns(
  trx: Database,
  workspaceId: WorkspaceId,
  agentHashes: readonly number[],
): Promise<void> {
  if (agentHashes.length === 0) return;
  await sql`
    delete from why_findings
    where workspace_id = ${workspaceId} and agent_hash = any(${[...new Set(agentHashes)]}::bigint[])
      and not exists (select from traces
        where traces.workspace_id = ${workspaceId} and traces.agent_hash = why_findings.agent_hash
          and decision_facts is not null)`.execute(trx);
}
