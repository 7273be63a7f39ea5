import type { ChildKind } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import { type CopiedRow, copyOut } from "../db/copy/copy-out.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { hasPayloadParts } from "../payloads/packed-fields.ts";
import { type PartLocation, PayloadLocations } from "../payloads/payload-locations.ts";
import { directoriesQuery } from "../payloads/trace-payloads.ts";
import { type RecordDetail, rowBytesSql } from "./stored-record.ts";

/** The order in which a response lists a trace's children. */
export const CHILD_KINDS = ["spans", "decisionPoints", "events"] as const satisfies ChildKind[];

/** A slice with more bytes holds a single record. */
const SLICE_BYTES = 4 * 1024 * 1024;
/** Parts whose contents are larger together are read one after the other. */
const MAX_CONTENT_BYTES = 12 * 1024 * 1024;
/** Position, size and version of a child. */
const PLANNED_BYTES = 12;

const TABLES: Readonly<Record<ChildKind, string>> = {
  spans: "spans",
  decisionPoints: "decision_points",
  events: "events",
};

/** A part of packed payloads, and the positions of the children that are read from it. */
export interface PlannedPart extends PartLocation {
  positions: number[];
}

/** Children of a trace that are next to each other and fit into memory together. */
export interface TraceSlice {
  kind: ChildKind;
  firstPosition: number;
  lastPosition: number;
  parts: PlannedPart[];
  /** As `versionsQuery` returned it. */
  versions: Buffer;
}

export const childrenOf = (workspaceId: WorkspaceId, traceId: string) =>
  sql`workspace_id = ${workspaceId} and trace_id = ${traceId}`;

/** Changes with every change of the trace and its children: their writer updates the trace's row. */
export const versionQuery = (workspaceId: WorkspaceId, traceId: string): RawBuilder<unknown> =>
  sql`select xmin::text from traces where workspace_id = ${workspaceId} and id = ${traceId}`;

/** SQL of about how many bytes the rows of a trace's children have. */
export const rowsBytesSql = (
  workspaceId: WorkspaceId,
  traceId: string,
  detail: RecordDetail,
): RawBuilder<unknown> =>
  sql.join(
    CHILD_KINDS.map(
      (kind) => sql`coalesce((
        select sum(${rowBytesSql(kind, detail)}) from ${sql.table(TABLES[kind])}
        where ${childrenOf(workspaceId, traceId)}), 0)`,
    ),
    sql` + `,
  );

/** Changes if children at the positions of a slice are written again, added or deleted. */
export const versionsQuery = (
  workspaceId: WorkspaceId,
  traceId: string,
  { kind, firstPosition, lastPosition }: Pick<TraceSlice, "kind" | "firstPosition" | "lastPosition">,
): RawBuilder<unknown> => sql`
  select string_agg(xidsend(xmin), ''::bytea order by position) from ${sql.table(TABLES[kind])}
  where ${childrenOf(workspaceId, traceId)} and position between ${firstPosition} and ${lastPosition}`;

/** Divides the children of a large trace into slices. The caller has opened a snapshot, in which it reads the version, too. */
export async function planTrace(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  traceId: string,
  detail: RecordDetail,
): Promise<TraceSlice[]> {
  const sizesQuery = (kind: ChildKind) => sql`
    select string_agg(
      int4send(position) || int4send((${rowBytesSql(kind, detail)})::integer) || xidsend(xmin), ''::bytea order by position)
    from ${sql.table(TABLES[kind])} where ${childrenOf(workspaceId, traceId)}`;
  const [directories, ...sizes] = await Promise.all([
    detail === "whole" ? copyOut(client, directoriesQuery(workspaceId, traceId)) : [],
    ...CHILD_KINDS.map((kind) => copyOut(client, sizesQuery(kind))),
  ]);
  const locations = new PayloadLocations(directories);
  return CHILD_KINDS.flatMap((kind, index) => [...slicesOf(kind, sizes[index]?.[0]?.[0], locations)]);
}

function* slicesOf(
  kind: ChildKind,
  sizes: Buffer | null | undefined,
  locations: PayloadLocations,
): Generator<TraceSlice> {
  let slice: Omit<TraceSlice, "parts" | "versions"> | undefined;
  let parts = new Map<number, PlannedPart>();
  let versions: Buffer[] = [];
  let bytes = 0;
  const complete = (one: Omit<TraceSlice, "parts" | "versions">) => ({
    ...one,
    parts: [...parts.values()],
    versions: Buffer.concat(versions),
  });
  for (let offset = 0; sizes && offset < sizes.length; offset += PLANNED_BYTES) {
    const position = sizes.readInt32BE(offset);
    const location = hasPayloadParts(kind) ? locations.find(kind, position) : undefined;
    const recordBytes = sizes.readInt32BE(offset + 4) + (location?.payloadBytes ?? 0);
    if (slice && bytes + recordBytes > SLICE_BYTES) {
      yield complete(slice);
      slice = undefined;
    }
    if (!slice) {
      slice = { kind, firstPosition: position, lastPosition: position };
      parts = new Map();
      versions = [];
      bytes = 0;
    }
    bytes += recordBytes;
    slice.lastPosition = position;
    versions.push(sizes.subarray(offset + 8, offset + PLANNED_BYTES));
    if (location) addPosition(parts, location, position);
  }
  if (slice) yield complete(slice);
}

function addPosition(
  parts: Map<number, PlannedPart>,
  { part, contentBytes }: PartLocation,
  position: number,
): void {
  const planned = parts.get(part);
  if (planned) planned.positions.push(position);
  else parts.set(part, { part, contentBytes, positions: [position] });
}

/** In which parts the payloads of children are now; undefined if some have none any more. `rows` are those of `directoriesQuery`. */
export function findParts(
  kind: ChildKind,
  positions: number[],
  rows: CopiedRow[],
): PlannedPart[] | undefined {
  const locations = new PayloadLocations(rows);
  const parts = new Map<number, PlannedPart>();
  for (const position of positions) {
    const location = hasPayloadParts(kind) ? locations.find(kind, position) : undefined;
    if (!location) return undefined;
    addPosition(parts, location, position);
  }
  return [...parts.values()];
}

/** Spans that were sent again lie in other parts than their neighbours, so a slice may need many. */
export function partBatches(parts: PlannedPart[]): PlannedPart[][] {
  const batches: PlannedPart[][] = [];
  let bytes = 0;
  for (const part of parts) {
    const last = batches.at(-1);
    bytes += part.contentBytes;
    if (last && bytes <= MAX_CONTENT_BYTES) last.push(part);
    else {
      batches.push([part]);
      bytes = part.contentBytes;
    }
  }
  return batches;
}
