import type { ChildKind } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { type CopiedRow, copyOut } from "../db/copy-out.ts";
import { snapshotOn } from "../db/transaction.ts";
import { ChunkWriter } from "../http/chunk-writer.ts";
import { partsQuery, TracePayloads } from "../payloads/trace-payloads.ts";
import { type RecordDetail, recordsQuery, writeRecord } from "./stored-record.ts";

/** The order in which a response lists a trace's children. */
const KINDS = ["spans", "decisionPoints", "events"] as const satisfies ChildKind[];
const CHUNK_BYTES = 1024 * 1024;
const COMMA = Buffer.from(",");
const CLOSED_LIST = Buffer.from("]");
const CLOSED_OBJECT = Buffer.from("}");

interface TraceOptions {
  /** When the trace was stored first, as PostgreSQL writes it: a later trace with the same id is another one. */
  storedAt?: string;
  /** Leaves out the id of the user. */
  isAnonymous?: boolean;
}

/** Reads a trace with all its children; undefined if the user has no trace with this id. */
export async function getTrace(
  client: pg.PoolClient,
  userId: string,
  traceId: string,
  detail: RecordDetail,
  { storedAt, isAnonymous = false }: TraceOptions = {},
): Promise<StoredTrace | undefined> {
  const childrenQuery = (kind: ChildKind) =>
    recordsQuery(kind, detail, sql`user_id = ${userId} and trace_id = ${traceId} order by position`);
  const isStoredAt = storedAt === undefined ? sql`` : sql`and created_at = ${storedAt}::timestamptz`;
  // All queries read one snapshot, so they see a concurrent replacement completely or not at all.
  const [[trace], parts, ...lists] = await snapshotOn(client, () =>
    Promise.all([
      copyOut(
        client,
        recordsQuery(
          isAnonymous ? "anonymousTrace" : "trace",
          detail,
          sql`user_id = ${userId} and stored.id = ${traceId} ${isStoredAt}`,
        ),
      ),
      detail === "whole" ? copyOut(client, partsQuery(userId, traceId)) : [],
      ...KINDS.map((kind) => copyOut(client, childrenQuery(kind))),
    ]),
  );
  return trace && new StoredTrace(trace, lists, new TracePayloads(parts));
}

/** A trace as the database returned it: its payloads are still compressed. */
export class StoredTrace {
  /** Bytes in memory until the last chunk was read. */
  readonly heldBytes: number;
  readonly #trace: CopiedRow;
  /** The rows of each kind of child. */
  readonly #lists: CopiedRow[][];
  readonly #payloads: TracePayloads;

  constructor(trace: CopiedRow, lists: CopiedRow[][], payloads: TracePayloads) {
    this.#trace = trace;
    this.#lists = lists;
    this.#payloads = payloads;
    let bytes = payloads.compressedBytes;
    for (const row of [trace, ...lists.flat()]) for (const column of row) bytes += column?.length ?? 0;
    this.heldBytes = bytes;
  }

  /** Yields the trace as JSON, its children in the order sent. Payloads are decompressed when they are needed. */
  async *chunks(): AsyncGenerator<Buffer[]> {
    const json = new ChunkWriter();
    await writeRecord(json, "trace", this.#trace, this.#payloads);
    for (const [index, kind] of KINDS.entries()) {
      json.write(Buffer.from(`,"${kind}":[`));
      for (const [position, row] of (this.#lists[index] ?? []).entries()) {
        if (position > 0) json.write(COMMA);
        await writeRecord(json, kind, row, this.#payloads);
        json.write(CLOSED_OBJECT);
        if (json.length > CHUNK_BYTES) yield json.take();
      }
      json.write(CLOSED_LIST);
    }
    json.write(CLOSED_OBJECT);
    yield json.take();
  }
}
