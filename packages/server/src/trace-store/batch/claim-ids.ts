import type { Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import { Conflict } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { MaskingCounts } from "../../masking/masker.ts";
import type { MergeState } from "../rows/merge-state.ts";
import type { StoredManifest } from "../rows/trace-manifest.ts";
import type { StoreRequest } from "./workspace-batch.ts";

/** The rows of a statement are built and parsed without a pause, so a huge batch takes several statements. */
const MAX_IDS_AT_ONCE = 2_000;

/** Registers the ids that nobody owns yet, sorted, for the workspaces that sent them; returns these ids. */
export async function claimIds(directory: Database, requests: StoreRequest[]): Promise<ReadonlySet<string>> {
  const sorted = requests
    .filter(({ merge }) => !merge?.isExistingOnly)
    .flatMap(({ workspaceId, keys }) => keys.map((id) => ({ id, workspaceId })))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const claimed = new Set<string>();
  for (let start = 0; start < sorted.length; start += MAX_IDS_AT_ONCE) {
    const chunk = JSON.stringify(sorted.slice(start, start + MAX_IDS_AT_ONCE));
    const { rows } = await sql<{ traceId: string }>`/* prepared */
      insert into trace_owners (trace_id, workspace_id)
      select id, "workspaceId" from json_to_recordset(${chunk}::json) as sent (id text, "workspaceId" uuid)
      on conflict (trace_id) do nothing returning trace_id`.execute(directory);
    for (const { traceId } of rows) claimed.add(traceId);
  }
  return claimed;
}

export interface LockedTrace extends StoredManifest {
  id: string;
  name: string;
  status: Status;
  /** How many spans, decision points and events it has. */
  childCounts: number[];
  sessionId: string | null;
  startedAt: string;
  /** Null if nothing of the trace came by OpenTelemetry. */
  mergeState: MergeState | null;
  /** Whether a worker is to derive it, because no span has come for a while. */
  isDerivationDue: boolean;
  scoreCount: number;
  createdAt: string;
  /** The keys of the problems that the run has. */
  problems: number[];
  /** How many values were masked, by type. */
  masked: MaskingCounts | null;
}

/**
 * Locks the workspace's traces with these ids, sorted, and returns what is stored about them. If it waits for a lock, the
 * manifest may be older than the row of the trace; the hash in the row tells.
 */
export async function lockTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<Map<string, LockedTrace>> {
  const locked = new Map<string, LockedTrace>();
  for (let start = 0; start < ids.length; start += MAX_IDS_AT_ONCE) {
    const chunk = textList(ids.slice(start, start + MAX_IDS_AT_ONCE));
    const { rows } = await sql<
      Omit<LockedTrace, "mergeState" | "problems"> & { mergeState: string | null; problems: string[] | null }
    >`/* prepared */
    select traces.id, traces.name, traces.status, traces.session_id, traces.started_at, traces.merge_state, traces.manifest_hash, traces.score_count, traces.created_at,
      traces.problems::text[] as problems, traces.masked,
      manifests.hashes, array[span_count, decision_point_count, event_count] as child_counts,
      coalesce(traces.derive_after < clock_timestamp(), false) as is_derivation_due
    from traces left join trace_manifests as manifests
      on manifests.workspace_id = ${workspaceId} and manifests.trace_id = traces.id
    where traces.workspace_id = ${workspaceId} and traces.id = any(${chunk})
    order by traces.id for update of traces`.execute(trx);
    for (const { mergeState, problems, ...row } of rows)
      locked.set(row.id, {
        ...row,
        mergeState: mergeState === null ? null : JSON.parse(mergeState),
        problems: (problems ?? []).map(Number),
      });
  }
  return locked;
}

/**
 * Handles ids that the workspace owned a moment ago, but that have no trace: a concurrent transaction deleted it. The id is then
 * free again, and the transaction restarts. If `trace_owners` still has the id, which only corruption from outside can
 * cause, the workspace may store a trace under it; such ids are returned.
 */
export async function reclaimIds(trx: Database, workspaceId: WorkspaceId, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const directory = trx.directory;
  const { rows: foreign } = await sql<{ count: number }>`
    select count(*) as count from trace_owners
    where trace_id = any(${textList(ids)}) and workspace_id <> ${workspaceId}`.execute(directory);
  if (foreign[0]?.count === ids.length) return [];
  const { rows: own } = await sql<{ traceId: string }>`
    update trace_owners set workspace_id = workspace_id
    where trace_id = any(${textList(ids)}) and workspace_id = ${workspaceId} returning trace_id`.execute(
    directory,
  );
  if (own.length + (foreign[0]?.count ?? 0) < ids.length)
    throw new Conflict("a trace of this batch was deleted meanwhile");
  const ownIds = own.map((row) => row.traceId);
  // Another transaction deleted the trace and stored it again between our two reads.
  if ((await lockTraces(trx, workspaceId, ownIds)).size > 0)
    throw new Conflict("a trace of this batch was stored meanwhile");
  return ownIds;
}
