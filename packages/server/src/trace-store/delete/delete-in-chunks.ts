import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { isStatementTimeout } from "../../db/is-statement-timeout.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

const FIRST_CHUNK_ROWS = 500;
const MAX_CHUNK_ROWS = 10_000;
/** A chunk takes a dozen round trips, however small it is. On a busy machine, smaller chunks would only be more of them. */
const MIN_CHUNK_ROWS = 250;
/** Chunks grow and shrink towards this time: short enough to stop soon and to hold no lock for long. */
const TARGET_MS = 50;
const STATEMENT_TIMEOUT_MS = 2_000;
/** A chunk of one trace cannot shrink. The process may have to stop while it is deleted, so it cannot take longer. */
const SINGLE_TRACE_TIMEOUT_MS = 8_000;

interface ChunkedDeletion {
  db: Database;
  workspaceId: WorkspaceId;
  /** A condition on the rows of traces. */
  where: RawBuilder<unknown>;
  /** Deletes the traces in the transaction of the chunk; returns how many. */
  deleteChunk: (trx: Database, traceIds: string[]) => Promise<number>;
}

/**
 * Deletes a workspace's traces, one short transaction after another, and visits each trace once. Yields after each transaction
 * how many traces it deleted, so that the caller can pause or stop.
 */
export async function* deleteInChunks(deletion: ChunkedDeletion): AsyncGenerator<number> {
  let maxRows = FIRST_CHUNK_ROWS;
  let minRows = MIN_CHUNK_ROWS;
  // In the order in which the traces were stored, a chunk changes few pages, so it writes little to the write-ahead log.
  // Continuing where the last chunk ended avoids scanning the index entries of deleted traces.
  let after: Cursor = { id: "", storedAt: "-infinity" };
  for (;;) {
    const { traces, rowCount } = await nextTraces(deletion, after, maxRows);
    const last = traces.at(-1);
    if (!last) return;
    let deletedCount = 0;
    try {
      const startedAt = performance.now();
      deletedCount = await runChunk(
        deletion,
        traces.map(({ id }) => id),
      );
      const tookMs = performance.now() - startedAt;
      const grown = maxRows * Math.min(Math.max(TARGET_MS / tookMs, 0.5), 2);
      maxRows = Math.min(Math.max(grown, minRows), MAX_CHUNK_ROWS);
      after = last;
    } catch (error) {
      if (traces.length === 1 || !isStatementTimeout(error)) throw error;
      maxRows = rowCount / 2;
      minRows = Math.min(minRows, maxRows);
    }
    yield deletedCount;
  }
}

interface Cursor {
  id: string;
  /** PostgreSQL's text of created_at, which has microseconds. */
  storedAt: string;
}

/** The next traces with at most `maxRows` rows in all tables together, but at least one trace. */
async function nextTraces({ db, workspaceId, where }: ChunkedDeletion, after: Cursor, maxRows: number) {
  const { rows } = await sql<Cursor & { rowCount: number }>`
    select id, created_at::text as stored_at, 1 + span_count + decision_point_count + event_count as row_count
    from traces
    where workspace_id = ${workspaceId} and (created_at, id) > (${after.storedAt}::timestamptz, ${after.id}) and ${where}
    order by created_at, id limit ${Math.max(Math.floor(maxRows), 1)}`.execute(db);
  let rowCount = 0;
  const end = rows.findIndex((trace, index) => {
    const isFull = index > 0 && rowCount + trace.rowCount > maxRows;
    if (!isFull) rowCount += trace.rowCount;
    return isFull;
  });
  return { traces: end < 0 ? rows : rows.slice(0, end), rowCount };
}

function runChunk({ db, deleteChunk }: ChunkedDeletion, traceIds: string[]): Promise<number> {
  const timeoutMs = traceIds.length === 1 ? SINGLE_TRACE_TIMEOUT_MS : STATEMENT_TIMEOUT_MS;
  return transaction(db, async (trx) => {
    // If the database crashes, a chunk that was not flushed is deleted again, so its commit need not wait for the disk.
    await sql`
      select set_config('statement_timeout', ${`${timeoutMs}`}, true), set_config('synchronous_commit', 'off', true)`.execute(
      trx,
    );
    return deleteChunk(trx, traceIds);
  });
}
