import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { directoryOf } from "../db/sharding.ts";
import { textList } from "../db/text-list.ts";
import { Conflict } from "../db/transaction.ts";
import type { MergeState } from "./merge-state.ts";
import type { StoredManifest } from "./trace-manifest.ts";

/** The rows of a statement are built and parsed without a pause, so a huge batch takes several statements. */
const MAX_IDS_AT_ONCE = 2_000;

/** Registers the ids that nobody owns yet, sorted, for the users who sent them; returns these ids. */
export async function claimIds(
  directory: Database,
  sent: { id: string; userId: string }[],
): Promise<Set<string>> {
  const sorted = sent.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const claimed = new Set<string>();
  for (let start = 0; start < sorted.length; start += MAX_IDS_AT_ONCE) {
    const chunk = JSON.stringify(sorted.slice(start, start + MAX_IDS_AT_ONCE));
    const { rows } = await sql<{ traceId: string }>`/* prepared */
      insert into trace_owners (trace_id, user_id)
      select id, "userId" from json_to_recordset(${chunk}::json) as sent (id text, "userId" uuid)
      on conflict (trace_id) do nothing returning trace_id`.execute(directory);
    for (const { traceId } of rows) claimed.add(traceId);
  }
  return claimed;
}

export interface LockedTrace extends StoredManifest {
  id: string;
  name: string;
  /** Whether its payloads are packed. */
  isPacked: boolean;
  sessionId: string | null;
  startedAt: string;
  /** Null if nothing of the trace came by OpenTelemetry. */
  mergeState: MergeState | null;
  /** Whether a worker is to derive it, because no span has come for a while. */
  isDerivationDue: boolean;
}

/**
 * Locks the user's traces with these ids, sorted, and returns what is stored about them. If it waits for a lock, the
 * manifest may be older than the row of the trace; the hash in the row tells.
 */
export async function lockTraces(
  trx: Database,
  userId: string,
  ids: string[],
): Promise<Map<string, LockedTrace>> {
  const locked = new Map<string, LockedTrace>();
  for (let start = 0; start < ids.length; start += MAX_IDS_AT_ONCE) {
    const chunk = textList(ids.slice(start, start + MAX_IDS_AT_ONCE));
    const { rows } = await sql<Omit<LockedTrace, "mergeState"> & { mergeState: string | null }>`/* prepared */
    select traces.id, traces.name, traces.status, traces.session_id, traces.started_at, traces.is_packed, traces.merge_state, traces.manifest_hash,
      manifests.hashes, array[span_count, decision_point_count, event_count] as child_counts,
      coalesce(traces.derive_after < clock_timestamp(), false) as is_derivation_due
    from traces left join trace_manifests as manifests
      on manifests.user_id = ${userId} and manifests.trace_id = traces.id
    where traces.user_id = ${userId} and traces.id = any(${chunk})
    order by traces.id for update of traces`.execute(trx);
    for (const { mergeState, ...row } of rows)
      locked.set(row.id, { ...row, mergeState: mergeState === null ? null : JSON.parse(mergeState) });
  }
  return locked;
}

/**
 * Handles ids that the user owned a moment ago, but that have no trace: a concurrent transaction deleted it. The id is then
 * free again, and the transaction restarts. If `trace_owners` still has the id, which only corruption from outside can
 * cause, the user may store a trace under it; such ids are returned.
 */
export async function reclaimIds(trx: Database, userId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const directory = directoryOf(trx);
  const { rows: foreign } = await sql<{ count: number }>`
    select count(*) as count from trace_owners
    where trace_id = any(${textList(ids)}) and user_id <> ${userId}`.execute(directory);
  if (foreign[0]?.count === ids.length) return [];
  const { rows: own } = await sql<{ traceId: string }>`
    update trace_owners set user_id = user_id
    where trace_id = any(${textList(ids)}) and user_id = ${userId} returning trace_id`.execute(directory);
  if (own.length + (foreign[0]?.count ?? 0) < ids.length)
    throw new Conflict("a trace of this batch was deleted meanwhile");
  const ownIds = own.map((row) => row.traceId);
  // Another transaction deleted the trace and stored it again between our two reads.
  if ((await lockTraces(trx, userId, ownIds)).size > 0)
    throw new Conflict("a trace of this batch was stored meanwhile");
  return ownIds;
}
