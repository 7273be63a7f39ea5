import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import { PIECE_BYTES } from "../db/copy-out.ts";
import { type CopiedResults, type CopyOptions, copyToBuffer } from "../db/copy-to-buffer.ts";
import { textList } from "../db/text-list.ts";
import { columnOf } from "../trace-store/record-columns.ts";
import { CHUNK_RESULTS, type Column, SECTIONS, type SectionName } from "./chunk-sections.ts";

const TABLES: Readonly<Record<SectionName, string>> = {
  traces: "traces",
  spans: "spans",
  decisionPoints: "decision_points",
  events: "events",
  spanPayloads: "spans",
  eventPayloads: "events",
};

const columnSql = (column: Column) => {
  if (column === "title") return "coalesce(choice, type)";
  if (column === "isPacked") return "coalesce(is_packed, false)";
  return column === "id" ? "stored.id" : columnOf(column);
};

/** Reads all that a search looks through of some traces; undefined if it is too much. */
export function readChunk(
  client: pg.PoolClient,
  userId: string,
  traceIds: string[],
  options: CopyOptions,
): Promise<CopiedResults | undefined> {
  const ids = textList(traceIds);
  // Nothing is sorted here: a sort would copy the payloads.
  const wanted = sql`unnest(${ids}) with ordinality as wanted (id, ordinal)`;
  const unpacked = sql`(
    select wanted.id, wanted.ordinal from ${wanted} join traces
      on traces.user_id = ${userId} and traces.id = wanted.id collate "C" and not traces.is_packed
    ) as wanted`;
  const queries: Readonly<Record<(typeof CHUNK_RESULTS)[number], RawBuilder<unknown>>> = {
    traces: sql`
      select wanted.ordinal::integer, array[0], ${columnsSql("traces", "array[%]")}
      from ${wanted} join traces as stored on user_id = ${userId} and stored.id = wanted.id collate "C"`,
    spans: childrenQuery(userId, "spans", wanted),
    decisionPoints: childrenQuery(userId, "decisionPoints", wanted),
    events: childrenQuery(userId, "events", wanted),
    spanPayloads: childrenQuery(userId, "spanPayloads", unpacked, sql`is_packed is not true`),
    eventPayloads: childrenQuery(userId, "eventPayloads", unpacked, sql`is_packed is not true`),
    parts: sql`
      select wanted.ordinal::integer, part, start, case when start = 1 then directory end,
        substring(bytes from start for ${PIECE_BYTES})
      from ${wanted} join trace_payloads on user_id = ${userId} and trace_id = wanted.id collate "C",
        generate_series(1, length(bytes), ${PIECE_BYTES}) as start`,
  };
  return copyToBuffer(
    client,
    CHUNK_RESULTS.map((name) => queries[name]),
    options,
  );
}

/** The section's columns, each with its name in the place of `%`. */
const columnsSql = (section: SectionName, pattern: string) =>
  sql.raw(SECTIONS[section].columns.map((column) => pattern.replace("%", columnSql(column))).join(", "));

const childrenQuery = (
  userId: string,
  section: SectionName,
  wanted: RawBuilder<unknown>,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> => sql`
  select wanted.ordinal::integer, children.*
  from ${wanted}, lateral (
    select array_agg(position) as positions, ${columnsSql(section, "array_agg(%)")}
    from ${sql.table(TABLES[section])} as stored
    where user_id = ${userId} and trace_id = wanted.id collate "C" and ${condition}) as children
  where children.positions is not null`;
