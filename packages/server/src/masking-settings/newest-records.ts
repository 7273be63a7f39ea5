import { sql } from "kysely";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { getTrace } from "../traces/get-trace.ts";
import type { TraceRecord } from "../traces/trace-chunks.ts";

/** A larger record is left out: parsing it would keep other requests waiting. */
const MAX_RECORD_BYTES = 1024 * 1024;
/** A workspace has few readers of these at a time, so their slots need no limit. */
const CONTINUED = { isContinued: true };

/** A record of a stored trace, as it is returned. */
export interface StoredRecord {
  traceId: string;
  kind: TraceRecord["kind"];
  bytes: number;
  /** Undefined if it is too large. */
  value: unknown;
}

/** Yields the records of the workspace's newest traces. A trace that changes meanwhile ends early. */
export async function* newestRecords(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  maxTraces: number,
): AsyncGenerator<StoredRecord> {
  const { rows } = await reads.run(workspaceId, (db) =>
    sql<{ id: string }>`
      select id from traces where workspace_id = ${workspaceId}
      order by started_at desc, id desc limit ${maxTraces}`.execute(db),
  );
  for (const { id: traceId } of rows) {
    const trace = await getTrace(reads, workspaceId, traceId, "whole", { slot: CONTINUED });
    if (!trace) continue;
    try {
      for await (const { kind, bytes, json } of trace.records()) {
        const value = bytes > MAX_RECORD_BYTES ? undefined : JSON.parse(Buffer.concat(json).toString());
        yield { traceId, kind, bytes, value };
      }
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
    }
  }
}
