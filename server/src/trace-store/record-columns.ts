import type { Fields } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { BinaryRows } from "../db/binary-rows.ts";
import { payloadBytes } from "./payload-bytes.ts";

/** PostgreSQL's name for a field: `costUsd` is stored in `cost_usd`. */
export const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The fields of an outline: all but those that may be megabytes. */
export const outlineFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name] !== "payload");

export const payloadFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name] === "payload");

/** The fields that a row holds as JSON text. */
export const jsonFields = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => ["json", "jsonArray", "payload"].includes(String(fields[name])));

/** The select list for these fields. */
export const selectFields = (names: string[]): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql.ref(name)));

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
