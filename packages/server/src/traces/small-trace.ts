import type { ChildKind } from "@whytrace/contract";
import type { CopiedRow } from "../db/copy/copy-out.ts";
import type { TracePayloads } from "../payloads/trace-payloads.ts";
import type { RecordDetail } from "./stored-record.ts";
import { type ReadChildren, type TraceRecord, traceChunks, traceRecords } from "./trace-chunks.ts";
import { CHILD_KINDS } from "./trace-plan.ts";

/** A trace as the database returned it: its payloads are still compressed, and decompressed when they are needed. */
export class SmallTrace {
  /** Bytes in memory until the last chunk was read. */
  readonly heldBytes: number;
  readonly #trace: CopiedRow;
  /** The rows of each kind of child. */
  readonly #lists: CopiedRow[][];
  readonly #payloads: TracePayloads;
  readonly #detail: RecordDetail;

  constructor(trace: CopiedRow, lists: CopiedRow[][], payloads: TracePayloads, detail: RecordDetail) {
    this.#trace = trace;
    this.#lists = lists;
    this.#payloads = payloads;
    this.#detail = detail;
    let bytes = payloads.compressedBytes;
    for (const row of [trace, ...lists.flat()]) for (const column of row) bytes += column?.length ?? 0;
    this.heldBytes = bytes;
  }

  chunks(): AsyncGenerator<Buffer[]> {
    return traceChunks(this.#trace, this.#detail, (kind) => this.#children(kind));
  }

  records(): AsyncGenerator<TraceRecord> {
    return traceRecords(this.#trace, (kind) => this.#children(kind));
  }

  #children(kind: ChildKind): ReadChildren[] {
    return [{ rows: this.#lists[CHILD_KINDS.indexOf(kind)] ?? [], payloads: this.#payloads }];
  }
}
