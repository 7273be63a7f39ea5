import type { ChildKind } from "@whytrace/contract";
import type { CopiedRow } from "../db/copy/copy-out.ts";
import { ChunkWriter } from "../http/chunk-writer.ts";
import { type PackedPayloads, type RecordDetail, writeRecord } from "./stored-record.ts";
import { CHILD_KINDS } from "./trace-plan.ts";

/** A chunk takes a few milliseconds. */
const CHUNK_BYTES = 256 * 1024;
const COMMA = Buffer.from(",");
const CLOSED_LIST = Buffer.from("]");
const CLOSED_OBJECT = Buffer.from("}");
const NO_PAYLOADS: PackedPayloads = { read: () => [] };

/** Children of one kind that are in memory, as rows of `recordsQuery`. */
export interface ReadChildren {
  rows: CopiedRow[];
  payloads: PackedPayloads;
}

/** A record of a trace as JSON: the trace without its children, or one of them. */
export interface TraceRecord {
  kind: "trace" | ChildKind;
  json: Buffer[];
  bytes: number;
}

/** Yields the records of a trace, first the trace itself. */
export async function* traceRecords(
  trace: CopiedRow,
  childrenOf: (kind: ChildKind) => Iterable<ReadChildren> | AsyncIterable<ReadChildren>,
): AsyncGenerator<TraceRecord> {
  const json = new ChunkWriter();
  const take = (kind: TraceRecord["kind"]) => {
    json.write(CLOSED_OBJECT);
    return { kind, bytes: json.length, json: json.take() };
  };
  await writeRecord(json, "trace", "whole", trace, NO_PAYLOADS);
  yield take("trace");
  for (const kind of CHILD_KINDS)
    for await (const { rows, payloads } of childrenOf(kind))
      for (const row of rows) {
        await writeRecord(json, kind, "whole", row, payloads);
        yield take(kind);
      }
}

/** Yields a trace as JSON, its children in the order sent. */
export async function* traceChunks(
  trace: CopiedRow,
  detail: RecordDetail,
  childrenOf: (kind: ChildKind) => Iterable<ReadChildren> | AsyncIterable<ReadChildren>,
): AsyncGenerator<Buffer[]> {
  const json = new ChunkWriter();
  await writeRecord(json, "trace", detail, trace, NO_PAYLOADS);
  for (const kind of CHILD_KINDS) {
    json.write(Buffer.from(`,"${kind}":[`));
    let isFirst = true;
    for await (const { rows, payloads } of childrenOf(kind))
      for (const row of rows) {
        if (!isFirst) json.write(COMMA);
        isFirst = false;
        await writeRecord(json, kind, detail, row, payloads);
        json.write(CLOSED_OBJECT);
        if (json.length > CHUNK_BYTES) yield json.take();
      }
    json.write(CLOSED_LIST);
  }
  json.write(CLOSED_OBJECT);
  yield json.take();
}
