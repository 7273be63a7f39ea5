import type { ParsedTrace } from "@whytrace/contract";
import { TraceRows, uuidBytes } from "../server/src/trace-store/encode-traces.ts";
import { type ColumnTypes, readRows, type TextRows } from "./copy-text.ts";
import type { IngestBatch } from "./ingest-batches.ts";
import { SIZES } from "./sizes.ts";

/** Encodes new traces with the server's encoder. */
export function encodeTraces(userId: string, traces: ParsedTrace[]) {
  const rows = new TraceRows(traces.length, traces.length * SIZES.full.bytesPerTrace);
  const user = uuidBytes(userId);
  for (const trace of traces) {
    rows.addTrace(user, trace);
    rows.addChildren(user, trace);
  }
  return rows.tables();
}

/** Every row that the server writes for a batch of new traces, except for its counters. */
export function encodeBatch({ tenant: { userId }, traces }: IngestBatch, types: ColumnTypes): TextRows[] {
  return [
    {
      table: "trace_owners",
      columns: ["trace_id", "user_id"],
      rows: traces.map(({ id }) => [id, userId]),
    },
    ...encodeTraces(userId, traces).map((table) => readRows(table, types)),
  ];
}
