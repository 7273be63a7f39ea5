import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** Which list of findings: of an agent, for a lens (its number), in the last days. */
export interface FindingsKey {
  agentHash: number;
  lens: number;
  windowDays: number;
}

interface StoredFindings extends FindingsKey {
  /** Of the workspace's totals, read in the same snapshot as the runs. */
  version: number;
  /** As `readGeneration` returned it in the same snapshot. */
  generation: number;
  /** Whether a request computed them: then the worker has not looked for changes up to this version. */
  isForRequest: boolean;
  /** Of the runs that were read. */
  digest: string;
  /** JSON values. */
  body: object;
  since: readonly object[];
}

/** Increases when findings are outdated. With the lock, nobody outdates findings until the transaction ends. */
export async function readGeneration(
  db: Database,
  workspaceId: WorkspaceId,
  { isLocked = false } = {},
): Promise<number> {
  const { rows } = await sql<{ findingsGeneration: number }>`
    select findings_generation from trace_totals where workspace_id = ${workspaceId}
    ${isLocked ? sql`for share` : sql``}`.execute(db);
  return rows[0]?.findingsGeneration ?? 0;
}

/**
 * Stores findings, unless there are newer ones, or the agent has no runs any more. Returns false if findings were outdated since the
 * runs were read. If the last run is deleted at this moment, the worker deletes them within a day.
 */
export function storeFindings(
  db: Database,
  workspaceId: WorkspaceId,
  findings: StoredFindings,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const generation = await readGeneration(trx, workspaceId, { isLocked: true });
    if (generation !== findings.generation) return false;
    await upsertFindings(trx, workspaceId, findings);
    return true;
  });
}

async function upsertFindings(
  trx: Database,
  workspaceId: WorkspaceId,
  { agentHash, lens, windowDays, version, isForRequest, digest, body, since }: StoredFindings,
): Promise<void> {
  const { rows: runs } = await sql`
    select id from traces where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and decision_facts is not null
    limit 1`.execute(trx);
  if (runs.length === 0) return;
  await sql`
    insert into why_findings as stored (workspace_id, agent_hash, lens, window_days, counted, digest, body, since)
    values (${workspaceId}, ${agentHash}, ${lens}, ${windowDays}, ${isForRequest ? 0 : version}, ${digest}, ${JSON.stringify(body)}::jsonb,
      ${JSON.stringify(since)}::jsonb)
    on conflict (workspace_id, agent_hash, lens, window_days) do update set
      counted = greatest(stored.counted, excluded.counted), digest = excluded.digest, computed_at = excluded.computed_at, body = excluded.body,
      since = excluded.since
    where stored.counted <= ${version}`.execute(trx);
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

/**
 * The findings of an agent, or of all, are computed again at the next look, or by the worker. Whatever is being computed was read before,
 * and is not stored.
 */
export async function outdateFindings(
  trx: Database,
  workspaceId: WorkspaceId,
  agentHash: number | undefined,
): Promise<void> {
  const isWanted = agentHash === undefined ? sql`true` : sql`agent_hash = ${agentHash}`;
  await sql`
    insert into trace_totals as totals (workspace_id, findings_generation) values (${workspaceId}, 1)
    on conflict (workspace_id) do update set findings_generation = totals.findings_generation + 1`.execute(
    trx,
  );
  await sql`
    update why_findings set counted = -1, digest = ''
    where workspace_id = ${workspaceId} and ${isWanted}`.execute(trx);
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
