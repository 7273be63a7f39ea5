import type { ChildKind } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { type CopiedRow, copyOut } from "../db/copy/copy-out.ts";
import type { FairDatabase, SlotOptions } from "../db/fair-database.ts";
import { readSnapshot } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { partsQuery, TracePayloads } from "../payloads/trace-payloads.ts";
import { LargeTrace } from "./large-trace.ts";
import { SmallTrace } from "./small-trace.ts";
import { type RecordDetail, recordsQuery, type TraceKind } from "./stored-record.ts";
import type { TraceRecord } from "./trace-chunks.ts";
import { CHILD_KINDS, childrenOf, planTrace, rowsBytesSql } from "./trace-plan.ts";

/** A trace is read at once if its rows have no more bytes, and its payloads no more than these, compressed. */
const MAX_ROWS_BYTES = 8 * 1024 * 1024;
const MAX_PARTS_BYTES = 4 * 1024 * 1024;

interface TraceOptions {
  /** When the trace was stored first, as PostgreSQL writes it: a later trace with the same id is another one. */
  storedAt?: string;
  /** What it says beside what was sent. Default: whose it is. */
  kind?: TraceKind;
  /** The slots in which the trace is read. */
  slot?: SlotOptions;
}

/** A trace that is read while its chunks are taken. */
export interface StreamedTrace {
  /** Bytes in memory beside the chunk that was yielded last. */
  readonly heldBytes: number;
  /** Yields the trace as JSON, its children in the order sent. */
  chunks(): AsyncGenerator<Buffer[]>;
  /** Yields its records one by one, whole. */
  records(): AsyncGenerator<TraceRecord>;
}

/**
 * Reads a trace with all its children; undefined if the workspace has no trace with this id. Of a large trace it reads which
 * pieces there are: `chunks` reads one at a time, each in a slot of its own.
 */
export function getTrace(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  traceId: string,
  detail: RecordDetail,
  { storedAt, kind: traceKind = "trace", slot = {} }: TraceOptions = {},
): Promise<StreamedTrace | undefined> {
  const isStoredAt = storedAt === undefined ? sql`` : sql`and stored.created_at = ${storedAt}::timestamptz`;
  const isTrace = sql`stored.workspace_id = ${workspaceId} and stored.id = ${traceId} ${isStoredAt}`;
  const traceQuery = recordsQuery(traceKind, detail, isTrace);
  const read = async (client: pg.PoolClient) => {
    const [[size], [trace]] = await Promise.all([
      copyOut(client, sizeQuery(workspaceId, traceId, detail, isTrace)),
      copyOut(client, traceQuery),
    ]);
    if (!size || !trace) return undefined;
    const { version, rowsBytes, partsBytes } = readSize(size);
    if (rowsBytes > MAX_ROWS_BYTES || partsBytes > MAX_PARTS_BYTES) {
      const slices = await planTrace(client, workspaceId, traceId, detail);
      const decisionSlices = slices.filter(({ kind }) => kind === "decisionPoints");
      const decisions =
        decisionSlices.length === 1
          ? await copyOut(client, listQuery(workspaceId, traceId, "decisionPoints", detail))
          : undefined;
      return new LargeTrace({
        reads,
        workspaceId,
        traceId,
        detail,
        slot,
        version,
        trace,
        slices,
        decisions,
      });
    }
    const [parts, ...lists] = await Promise.all([
      partsBytes > 0 ? copyOut(client, partsQuery(workspaceId, traceId)) : [],
      ...CHILD_KINDS.map((kind) => copyOut(client, listQuery(workspaceId, traceId, kind, detail))),
    ]);
    return new SmallTrace(trace, lists, new TracePayloads(parts), detail);
  };
  // All queries read one snapshot, so they see a concurrent replacement completely or not at all.
  return reads.run(workspaceId, (_db, client) => readSnapshot(client, () => read(client)), slot);
}

const listQuery = (workspaceId: WorkspaceId, traceId: string, kind: ChildKind, detail: RecordDetail) =>
  recordsQuery(kind, detail, sql`${childrenOf(workspaceId, traceId)} order by position`);

const sizeQuery = (
  workspaceId: WorkspaceId,
  traceId: string,
  detail: RecordDetail,
  isTrace: ReturnType<typeof childrenOf>,
) => {
  const partsBytes = sql`coalesce((
    select sum(octet_length(bytes)) from trace_payloads where ${childrenOf(workspaceId, traceId)}), 0)`;
  return sql`
    select stored.xmin::text, (${rowsBytesSql(workspaceId, traceId, detail)})::bigint,
      (${detail === "whole" ? partsBytes : sql`0`})::bigint
    from traces as stored where ${isTrace}`;
};

const readSize = ([version, rowsBytes, partsBytes]: CopiedRow) => ({
  version: String(version),
  rowsBytes: Number(rowsBytes?.readBigInt64BE() ?? 0),
  partsBytes: Number(partsBytes?.readBigInt64BE() ?? 0),
});
