import type { ChildKind } from "@whytrace/contract";
import { sql } from "kysely";
import { type CopiedRow, copyOut } from "../db/copy/copy-out.ts";
import type { FairDatabase, SlotOptions } from "../db/fair-database.ts";
import { snapshotOn } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { hasPayloadParts } from "../payloads/packed-fields.ts";
import { somePartsQuery } from "../payloads/trace-payloads.ts";
import { unpackParts } from "../payloads/unpack-parts.ts";
import { type RecordDetail, recordsQuery } from "./stored-record.ts";
import { type ReadChildren, type TraceRecord, traceChunks, traceRecords } from "./trace-chunks.ts";
import { childrenOf, type PlannedPart, partBatches, type TraceSlice, versionQuery } from "./trace-plan.ts";

const CHANGED = "The trace changed while it was read";
const NO_PAYLOADS = { read: () => [] };

export interface LargeTraceOptions {
  reads: FairDatabase;
  workspaceId: WorkspaceId;
  traceId: string;
  detail: RecordDetail;
  slot: SlotOptions;
  /** Of the trace when its slices were found. */
  version: string;
  /** The row of the trace. */
  trace: CopiedRow;
  slices: TraceSlice[];
}

/**
 * A trace that is too large for memory. Its slices are read one at a time, when the client has taken the one before. If the
 * trace changes meanwhile, the rest would not fit to what was sent: reading fails.
 */
export class LargeTrace {
  heldBytes = 0;
  readonly #options: LargeTraceOptions;

  constructor(options: LargeTraceOptions) {
    this.#options = options;
  }

  chunks(): AsyncGenerator<Buffer[]> {
    const { trace, detail } = this.#options;
    return traceChunks(trace, detail, (kind) => this.#children(kind));
  }

  records(): AsyncGenerator<TraceRecord> {
    return traceRecords(this.#options.trace, (kind) => this.#children(kind));
  }

  async *#children(kind: ChildKind): AsyncGenerator<ReadChildren> {
    for (const slice of this.#options.slices) {
      if (slice.kind !== kind) continue;
      yield await this.#read(slice);
      this.heldBytes = 0;
    }
  }

  /** Reads the rows of a slice and their payloads. */
  async #read({ kind, firstPosition, lastPosition, parts }: TraceSlice): Promise<ReadChildren> {
    const { workspaceId, traceId, detail } = this.#options;
    const [batch = [], ...others] = partBatches(parts);
    const [rows, packed] = await this.#readVersion([
      recordsQuery(
        kind,
        detail,
        sql`${childrenOf(workspaceId, traceId)} and position between ${firstPosition} and ${lastPosition} order by position`,
      ),
      ...(batch.length > 0 ? [this.#partsQuery(batch)] : []),
    ]);
    this.heldBytes = (rows ?? []).reduce((sum, row) => sum + bytesOf(row), 0);
    if (!hasPayloadParts(kind)) return { rows: rows ?? [], payloads: NO_PAYLOADS };
    const payloads = await unpackParts(packed ?? [], kind, batch);
    for (const other of others) {
      const [more = []] = await this.#readVersion([this.#partsQuery(other)]);
      for (const [position, payload] of await unpackParts(more, kind, other)) payloads.set(position, payload);
    }
    for (const payload of payloads.values()) this.heldBytes += bytesOf(payload);
    return {
      rows: rows ?? [],
      payloads: { read: (_kind, position) => payloads.get(position) ?? [] },
    };
  }

  #partsQuery(batch: PlannedPart[]) {
    const { workspaceId, traceId } = this.#options;
    return somePartsQuery(
      workspaceId,
      traceId,
      batch.map(({ part }) => part),
    );
  }

  /** Runs queries on one snapshot in which the trace is still the same. */
  async #readVersion(queries: ReturnType<typeof recordsQuery>[]): Promise<CopiedRow[][]> {
    const { reads, workspaceId, traceId, slot, version } = this.#options;
    const [current, ...results] = await reads.run(
      workspaceId,
      (_db, client) =>
        snapshotOn(client, () =>
          Promise.all(
            [versionQuery(workspaceId, traceId), ...queries].map((query) => copyOut(client, query)),
          ),
        ),
      // The slot in which the slices were found was the first one.
      { ...slot, isContinued: true },
    );
    if (String(current?.[0]?.[0]) !== version) throw new HttpError(503, CHANGED, { "retry-after": "1" });
    return results;
  }
}

const bytesOf = (columns: CopiedRow) => columns.reduce((sum, column) => sum + (column?.length ?? 0), 0);
