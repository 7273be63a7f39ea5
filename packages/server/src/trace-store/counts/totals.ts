import {
  DECISION_POINT_TYPES,
  type DecisionPointType,
  type ParsedTrace,
  STATUSES,
  type Status,
} from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { forEachWorkspace } from "../../db/statements/for-each-workspace.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { MaskingChanged } from "../../masking/masking-changed.ts";

/** How many traces of each status and decision points of each type a workspace has. */
export type Totals = Record<Status | DecisionPointType, number>;

export const noTotals = (): Totals => ({
  RUNNING: 0,
  COMPLETED: 0,
  ERROR: 0,
  TOOL_SELECTION: 0,
  ROUTING: 0,
  RETRY: 0,
  ESCALATION: 0,
  MEMORY_RETRIEVAL: 0,
  PLANNING: 0,
  CUSTOM: 0,
});

/** Reads a workspace's totals and their version, which increases with every change of the workspace's traces. */
export async function readTotals(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<Totals & { version: number }> {
  const { rows } = await sql<Totals & { version: number }>`
    select running as "RUNNING", completed as "COMPLETED", error as "ERROR", tool_selection as "TOOL_SELECTION",
      routing as "ROUTING", retry as "RETRY", escalation as "ESCALATION", memory_retrieval as "MEMORY_RETRIEVAL",
      planning as "PLANNING", custom as "CUSTOM", version
    from trace_totals where workspace_id = ${workspaceId}`.execute(db.withoutPlugins());
  return rows[0] ?? { ...noTotals(), version: 0 };
}

/** The sum of several changes. */
export function sumTotals(changes: Iterable<Totals>): Totals {
  const sum = noTotals();
  for (const change of changes) for (const kind of COUNTED) sum[kind] += change[kind];
  return sum;
}

/** Adds a trace to a change, with all its decision points or only those at some positions. */
export function addTrace(change: Totals, { status, decisionPoints }: ParsedTrace, positions?: number[]) {
  change[status] += 1;
  if (!positions) for (const { type } of decisionPoints) change[type] += 1;
  for (const position of positions ?? []) {
    const decision = decisionPoints[position];
    if (decision) change[decision.type] += 1;
  }
}

/** How a transaction changes a workspace's totals; deletions are negative. */
interface TotalsChange {
  workspaceId: WorkspaceId;
  change: Totals;
  /** The versions of the rules by which the values that are stored were masked. */
  maskedBy?: readonly number[];
}

/**
 * Adds changes, sorted by workspace, to the stored totals, and increases their version even if no number changes. It is among
 * the last writes of a transaction, so that its locks are held briefly. Returns the versions by workspace.
 *
 * Throws MaskingChanged if values were masked by other rules than the current ones: whoever changes rules takes the same lock, so
 * nothing that was masked by older rules is committed afterwards.
 */
export async function addTotals(trx: Database, changes: TotalsChange[]): Promise<Map<string, number>> {
  const rows = await forEachWorkspace(trx, changes, async (workspaces) => {
    const added = await sql<{
      workspaceId: WorkspaceId;
      version: number;
      maskingVersion: number;
    }>`/* prepared */
    insert into trace_totals as totals (workspace_id, running, completed, error, tool_selection, routing, retry, escalation,
      memory_retrieval, planning, custom, version)
    values ${sql.join(
      workspaces.map(({ workspaceId, change }) => {
        const counts = COUNTED.map((kind) => sql`${change[kind]}::bigint`);
        return sql`(${workspaceId}::uuid, ${sql.join(counts)}, 1)`;
      }),
    )}
    on conflict (workspace_id) do update set
      running = totals.running + excluded.running,
      completed = totals.completed + excluded.completed,
      error = totals.error + excluded.error,
      tool_selection = totals.tool_selection + excluded.tool_selection,
      routing = totals.routing + excluded.routing,
      retry = totals.retry + excluded.retry,
      escalation = totals.escalation + excluded.escalation,
      memory_retrieval = totals.memory_retrieval + excluded.memory_retrieval,
      planning = totals.planning + excluded.planning,
      custom = totals.custom + excluded.custom,
      version = totals.version + 1
    returning totals.workspace_id, totals.version, totals.masking_version`.execute(trx);
    return added.rows;
  });
  const maskedBy = new Map(changes.map((change) => [change.workspaceId, change.maskedBy ?? []]));
  for (const { workspaceId, maskingVersion } of rows)
    if (maskedBy.get(workspaceId)?.some((version) => version !== maskingVersion)) throw new MaskingChanged();
  return new Map(rows.map(({ workspaceId, version }) => [workspaceId, version]));
}

/** In the order of the columns above. */
const COUNTED = [
  "RUNNING",
  "COMPLETED",
  "ERROR",
  "TOOL_SELECTION",
  "ROUTING",
  "RETRY",
  "ESCALATION",
  "MEMORY_RETRIEVAL",
  "PLANNING",
  "CUSTOM",
] as const;

/** Blocks concurrent changes of the workspace's traces from their last step until the transaction ends. */
export async function lockTotals(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`insert into trace_totals (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(
    trx,
  );
  await sql`select workspace_id from trace_totals where workspace_id = ${workspaceId} for update`.execute(
    trx,
  );
}

/** Records which traces were deleted on the day they were created: they still count towards that day's limit. */
export async function countDeletions(
  trx: Database,
  workspaceId: WorkspaceId,
  createdAt: string[],
): Promise<void> {
  const today = sql`(now() at time zone 'utc')::date`;
  await sql`
    insert into trace_totals as totals (workspace_id, deleted_on, deleted_count)
    select ${workspaceId}, ${today}, count(*) from unnest(${textList(createdAt)}::timestamptz[]) as deleted (created_at)
    where (created_at at time zone 'utc')::date = ${today} having count(*) > 0
    on conflict (workspace_id) do update set
      deleted_count = excluded.deleted_count
        + case when totals.deleted_on = excluded.deleted_on then totals.deleted_count else 0 end,
      deleted_on = excluded.deleted_on`.execute(trx);
}

export const totalTraces = (totals: Totals) => STATUSES.reduce((sum, status) => sum + totals[status], 0);
export const totalDecisionPoints = (totals: Totals) =>
  DECISION_POINT_TYPES.reduce((sum, type) => sum + totals[type], 0);
