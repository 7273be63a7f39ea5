import { encodeChildren, encodeTraces } from "../server/src/traces/encode-traces.ts";
import { type ColumnTypes, readRows, type TextRows } from "./copy-text.ts";
import type { IngestBatch } from "./ingest-batches.ts";
import { SIZES } from "./sizes.ts";

/** Every row that the service would write for a batch of new traces, apart from its counters. */
export function encodeBatch({ tenant: { userId }, traces }: IngestBatch, types: ColumnTypes): TextRows[] {
  return [
    {
      table: "trace_owners",
      columns: ["trace_id", "user_id"],
      rows: traces.map(({ id }) => [id, userId]),
    },
    ...[
      ...encodeTraces(userId, traces),
      ...encodeChildren(userId, traces, traces.length * SIZES.full.bytesPerTrace),
    ].map((table) => readRows(table, types)),
  ];
}
