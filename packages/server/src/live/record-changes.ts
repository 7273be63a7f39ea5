import type { TraceChange } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { forEachWorkspace } from "../db/statements/for-each-workspace.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Stored changes per workspace, at least. A reader that missed more must reload. */
const MIN_STORED_CHANGES = 500;
const PRUNE_INTERVAL = 100;
/** About 350 traces. A longer list is not stored, and readers must reload. */
const MAX_TRACES_LENGTH = 32_768;

/** The changes to a workspace's traces in one transaction. */
export interface RecordedChange {
  workspaceId: WorkspaceId;
  /** Null if readers must reload. */
  traces: TraceChange[] | null;
  /** The incremented version; if it is absent, the statement reads it. */
  version?: number | undefined;
}

/**
 * Records the changes that a transaction made. The transaction must already have incremented the version in
 * trace_totals of each workspace: it becomes the position of the change. The row of the version stays locked until the
 * commit, so positions are in commit order.
 */
export async function recordChanges(trx: Database, changes: RecordedChange[]): Promise<void> {
  const recorded = changes.map(({ workspaceId, traces, version }) => {
    const json = traces && JSON.stringify(traces);
    return { workspaceId, version, traces: json && json.length <= MAX_TRACES_LENGTH ? json : null };
  });
  const rows = await forEachWorkspace(trx, recorded, async (workspaces) => {
    const [only, ...others] = workspaces;
    const isOne = only && others.length === 0;
    // The first of these reads no other table: see `joinedOrApart`.
    const positions =
      isOne && only.version !== undefined
        ? sql`values (${only.workspaceId}::uuid, ${only.version}::bigint, ${only.traces}::json)`
        : isOne
          ? sql`select workspace_id, version, ${only.traces}::json from trace_totals where workspace_id = ${only.workspaceId}`
          : sql`select totals.workspace_id, totals.version, recorded.traces::json
            from json_to_recordset(${JSON.stringify(workspaces)}::json) as recorded ("workspaceId" uuid, traces text)
            join trace_totals as totals on totals.workspace_id = recorded."workspaceId"`;
    const inserted = await sql<{ workspaceId: WorkspaceId; position: number }>`/* prepared */
      insert into trace_changes as changes (workspace_id, position, traces) ${positions}
      returning changes.workspace_id, changes.position`.execute(trx);
    return inserted.rows;
  });
  for (const { workspaceId, position } of rows)
    if (position % PRUNE_INTERVAL === 0)
      await sql`delete from trace_changes where workspace_id = ${workspaceId} and position <= ${position - MIN_STORED_CHANGES}`.execute(
        trx,
      );
}

export async function deleteChanges(db: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from trace_changes where workspace_id = ${workspaceId}`.execute(db);
}
