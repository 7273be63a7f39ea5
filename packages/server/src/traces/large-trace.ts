import type { ChildKind } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { type CopiedRow, copyOut } from "../db/copy/copy-out.ts";
import type { FairDatabase, SlotOptions } from "../db/fair-database.ts";
import { readSnapshot } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { hasPayloadParts } from "../payloads/packed-fields.ts";
import { directoriesQuery, somePartsQuery } from "../payloads/trace-payloads.ts";
import { unpackParts } from "../payloads/unpack-parts.ts";
import { type RecordDetail, recordsQuery } from "./stored-record.ts";
import { type ReadChildren, type TraceRecord, traceChunks, traceRecords } from "./trace-chunks.ts";
import {
  childrenOf,
  findParts,
  type PlannedPart,
  partBatches,
  type TraceSlice,
  versionQuery,
  versionsQuery,
} from "./trace-plan.ts";

const CHANGED = "The trace changed while it was read";
const NO_PAYLOADS = { read: () => [] };

interface LargeTraceOptions {
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
  /** The decision points, if they are one slice. They are derived anew while a trace goes on, so they are read with the plan. */
  decisions: CopiedRow[] | undefined;
}

/** What one snapshot shows of a slice. */
interface ReadSlice {
  rows: CopiedRow[];
  /** The rows of these parts. */
  packed: CopiedRow[];
  parts: PlannedPart[];
  /** Parts that are too large to be read together with these. */
  left: PlannedPart[];
}

/**
 * A trace that is too large for memory. Its slices are read one at a time, when the client has taken the one before. What is
 * added to the trace meanwhile, as to every trace that runs, is left out. If children that are not read yet change, the rest
 * would not fit to what was sent: reading fails.
 */
export class LargeTrace {
  readonly #options: LargeTraceOptions;
  #decisions: CopiedRow[] | undefined;
  #decisionBytes: number;
  #sliceBytes = 0;

  constructor(options: LargeTraceOptions) {
    this.#options = options;
    this.#decisions = options.decisions;
    this.#decisionBytes = sumBytes(options.decisions ?? []);
  }

  get heldBytes(): number {
    return this.#sliceBytes + this.#decisionBytes;
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
      if (kind === "decisionPoints" && this.#decisions) {
        yield { rows: this.#decisions, payloads: NO_PAYLOADS };
        this.#decisions = undefined;
        this.#decisionBytes = 0;
        continue;
      }
      yield await this.#read(slice);
      this.#sliceBytes = 0;
    }
  }

  /** Reads the rows of a slice and their payloads. */
  async #read(slice: TraceSlice): Promise<ReadChildren> {
    const { kind } = slice;
    let { rows, packed, parts, left } = await this.#readSnapshot(slice, slice.parts, { withRows: true });
    this.#sliceBytes = sumBytes(rows);
    if (!hasPayloadParts(kind)) return { rows, payloads: NO_PAYLOADS };
    const payloads = await unpackParts(packed, kind, parts);
    while (left.length > 0) {
      ({ packed, parts, left } = await this.#readSnapshot(slice, left, { withRows: false }));
      for (const [position, payload] of await unpackParts(packed, kind, parts))
        payloads.set(position, payload);
    }
    for (const payload of payloads.values()) this.#sliceBytes += bytesOf(payload);
    return { rows, payloads: { read: (_kind, position) => payloads.get(position) ?? [] } };
  }

  /** Reads rows of a slice, and as many of the parts as fit into memory together. */
  #readSnapshot(
    slice: TraceSlice,
    planned: PlannedPart[],
    { withRows }: { withRows: boolean },
  ): Promise<ReadSlice> {
    const { reads, workspaceId, traceId, detail, slot, version } = this.#options;
    const { kind, firstPosition, lastPosition } = slice;
    const isInSlice = sql`${childrenOf(workspaceId, traceId)} and position between ${firstPosition} and ${lastPosition}`;
    const read = async (client: pg.PoolClient): Promise<ReadSlice> => {
      const [current] = await copyOut(client, versionQuery(workspaceId, traceId));
      const isSame = String(current?.[0]) === version;
      const all = isSame ? planned : await this.#findAgain(client, slice, planned);
      const [parts = [], ...others] = partBatches(all);
      const numbers = parts.map(({ part }) => part);
      const [rows, packed] = await Promise.all([
        withRows ? copyOut(client, recordsQuery(kind, detail, sql`${isInSlice} order by position`)) : [],
        numbers.length > 0 ? copyOut(client, somePartsQuery(workspaceId, traceId, numbers)) : [],
      ]);
      return { rows, packed, parts, left: others.flat() };
    };
    // The slot in which the slices were found was the first one.
    return reads.run(workspaceId, (_db, client) => readSnapshot(client, () => read(client)), {
      ...slot,
      isContinued: true,
    });
  }

  /** Finds the payloads of a slice in a trace that changed: small parts are packed together with what is added. */
  async #findAgain(client: pg.PoolClient, slice: TraceSlice, planned: PlannedPart[]): Promise<PlannedPart[]> {
    const { workspaceId, traceId } = this.#options;
    const [[versions], directories] = await Promise.all([
      copyOut(client, versionsQuery(workspaceId, traceId, slice)),
      planned.length > 0 ? copyOut(client, directoriesQuery(workspaceId, traceId)) : [],
    ]);
    const isSame = versions?.[0]?.equals(slice.versions) === true;
    const positions = planned.flatMap((part) => part.positions);
    const found = isSame ? findParts(slice.kind, positions, directories) : undefined;
    if (!found) throw new HttpError(503, CHANGED, { "retry-after": "1" });
    return found;
  }
}

const bytesOf = (columns: CopiedRow) => columns.reduce((sum, column) => sum + (column?.length ?? 0), 0);

const sumBytes = (rows: CopiedRow[]) => rows.reduce((sum, row) => sum + bytesOf(row), 0);
