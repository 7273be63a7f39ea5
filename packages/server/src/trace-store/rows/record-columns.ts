import type { Fields } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { BinaryRows } from "../../db/copy/binary-rows.ts";
import { payloadBytes } from "../../payloads/payload-bytes.ts";

/** PostgreSQL's name for a field: `costUsd` is stored in `cost_usd`. `userId` of a trace is its workspace. */
export const columnOf = (field: string) =>
  field === "userId" ? "workspace_id" : field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of an outline: all but those that may be megabytes. */
export const outlineFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name] !== "payload");

export const withoutPayloads = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, type]) => type !== "payload"));

/** The fields that a row holds as JSON text. */
export const jsonFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => ["json", "jsonArray", "payload"].includes(String(fields[name])));

/** The fields that may be megabytes. */
const isLarge = (type: Fields[string] | undefined) =>
  ["json", "jsonArray", "payload", "text", "tags"].includes(String(type));

const INSTANTS = new Set(["instant", "optionalInstant"]);

/** The select list for these fields, of a table if given, as `row_to_json` must find them. */
export const selectJsonFields = (names: string[], fields: Fields, table?: string): RawBuilder<unknown> =>
  sql.raw(
    names
      .map((name) => {
        const column = table === undefined ? columnOf(name) : `${table}.${columnOf(name)}`;
        const isInstant = name === "createdAt" || INSTANTS.has(String(fields[name]));
        return `${isInstant ? toIsoSql(column) : column} as "${name}"`;
      })
      .join(", "),
  );

/** Whether a decision point is inferred, and whether its alternatives are known. */
export const inferenceSql = (table: string) =>
  `coalesce(${table}.is_inferred, false) as "inferred", coalesce(${table}.alternatives_known, true) as "alternativesKnown"`;

/** How a decision point was inferred, as one column; null if it was told. */
export const INFERENCE = sql`
  case when is_inferred then json_build_object('alternativesKnown', alternatives_known) end as inference`;

/** The form of JavaScript's toISOString. */
export const toIsoSql = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** lz4 needs at least one byte for 255. */
const MAX_COMPRESSION = 255;
/** No value is larger than the request that brought it. */
const MAX_VALUE_BYTES = 10 * 1024 * 1024;

/** SQL of an upper bound for the size of a row. Compressed values are not decompressed to learn their size. */
export const maxRowBytesSql = (fields: Fields): RawBuilder<number> =>
  sql.raw(
    Object.keys(fields)
      .filter((name) => isLarge(fields[name]))
      .map(columnOf)
      .map(
        (column) =>
          `least(${MAX_VALUE_BYTES}, coalesce(pg_column_size(${column}), 0)::bigint *
            case when pg_column_compression(${column}) is null then 1 else ${MAX_COMPRESSION} end)`,
      )
      .join(" + "),
  );

/** A function that writes a parsed record's fields in the order of its table. */
export function fieldsWriter(fields: Fields) {
  const writers = Object.entries(fields).map(([name, type]) => ({ name, write: fieldWriter(type) }));
  return (rows: BinaryRows, record: Readonly<Record<string, unknown>>) => {
    for (const { name, write } of writers) write(rows, record[name]);
  };
}

function fieldWriter(type: Fields[string]): (rows: BinaryRows, value: unknown) => void {
  switch (type) {
    case "number":
    case "probability":
      return (rows, value) => rows.double(typeof value === "number" ? value : null);
    case "instant":
    case "optionalInstant":
      return (rows, value) => rows.timestamp(typeof value === "number" ? value : null);
    case "json":
    case "jsonArray":
    case "payload":
      return (rows, value) => rows.bytes(payloadBytes(value));
    case "tags":
      return (rows, value) => rows.textArray(Array.isArray(value) ? value : []);
    default:
      return (rows, value) => rows.text(typeof value === "string" ? value : null);
  }
}
