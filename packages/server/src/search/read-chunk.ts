import type { ChildKind } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import { PIECE_BYTES } from "../db/copy/copy-out.ts";
import { type CopiedResults, type CopyOptions, copyToBuffer } from "../db/copy/copy-to-buffer.ts";
import { textList } from "../db/statements/text-list.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { columnOf } from "../trace-store/rows/record-columns.ts";
import { CHUNK_RESULTS, type Column, SECTIONS, type SectionName } from "./chunk-sections.ts";

const TABLES: Readonly<Record<SectionName, string>> = {
  traces: "traces",
  spans: "spans",
  decisionPoints: "decision_points",
  events: "events",
};

const columnSql = (column: Column) => {
  if (column === "title") return "coalesce(choice, type)";
  return column === "id" ? "stored.id" : columnOf(column);
};

/** What is read at once of a trace that is too large for a chunk. */
export interface SearchSlice {
  kind: ChildKind;
  /** Which children of the kind. */
  condition: RawBuilder<unknown>;
  /** The parts in which their payloads are. */
  parts: number[];
  /** Whether an earlier slice had the fields of the trace itself. */
  isContinued: boolean;
}

/**
 * Reads all that a search looks through of some traces, or of one trace a slice; undefined if it is too much.
 */
export function readChunk(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  traceIds: string[],
  options: CopyOptions & { slice?: SearchSlice | undefined },
): Promise<CopiedResults | undefined> {
  const { slice } = options;
  const isSliced = (kind: ChildKind) => {
    if (!slice) return sql`true`;
    return slice.kind === kind ? slice.condition : sql`false`;
  };
  const ids = textList(traceIds);
  // Nothing is sorted here: a sort would copy the payloads.
  const wanted = sql`unnest(${ids}) with ordinality as wanted (id, ordinal)`;
  const queries: Readonly<Record<(typeof CHUNK_RESULTS)[number], RawBuilder<unknown>>> = {
    traces: sql`
      select wanted.ordinal::integer, array[0], ${columnsSql("traces", slice?.isContinued ? "array[left(%::text, 1000)]" : "array[%]")}
      from ${wanted} join traces as stored on workspace_id = ${workspaceId} and stored.id = wanted.id collate "C"`,
    spans: childrenQuery(workspaceId, "spans", wanted, isSliced("spans")),
    decisionPoints: childrenQuery(workspaceId, "decisionPoints", wanted, isSliced("decisionPoints")),
    events: childrenQuery(workspaceId, "events", wanted, isSliced("events")),
    parts: sql`
      select wanted.ordinal::integer, part, start, case when start = 1 then directory end,
        substring(bytes from start for ${PIECE_BYTES})
      from ${wanted} join trace_payloads on workspace_id = ${workspaceId} and trace_id = wanted.id collate "C",
        generate_series(1, length(bytes), ${PIECE_BYTES}) as start
      where ${slice ? inParts(slice.parts) : sql`true`}`,
  };
  return copyToBuffer(
    client,
    CHUNK_RESULTS.map((name) => queries[name]),
    options,
  );
}

const inParts = (parts: number[]) => (parts.length > 0 ? sql`part in (${sql.join(parts)})` : sql`false`);

/** The section's columns, each with its name in the place of `%`. */
const columnsSql = (section: SectionName, pattern: string) =>
  sql.raw(SECTIONS[section].columns.map((column) => pattern.replace("%", columnSql(column))).join(", "));

const childrenQuery = (
  workspaceId: WorkspaceId,
  section: SectionName,
  wanted: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select wanted.ordinal::integer, children.*
  from ${wanted}, lateral (
    select array_agg(position) as positions, ${columnsSql(section, "array_agg(%)")}
    from ${sql.table(TABLES[section])} as stored
    where workspace_id = ${workspaceId} and trace_id = wanted.id collate "C" and ${condition}) as children
  where children.positions is not null`;
