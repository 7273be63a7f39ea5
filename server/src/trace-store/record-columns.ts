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

/** Writes a parsed record's fields in the order of its table. */
export function writeFields(rows: BinaryRows, fields: Fields, record: Readonly<Record<string, unknown>>) {
  for (const name in fields) {
    const value = record[name];
    switch (fields[name]) {
      case "number":
        rows.double(typeof value === "number" ? value : null);
        break;
      case "instant":
      case "optionalInstant":
        rows.timestamp(typeof value === "number" ? value : null);
        break;
      case "json":
      case "jsonArray":
      case "payload":
        rows.bytes(payloadBytes(value));
        break;
      case "tags":
        rows.textArray(Array.isArray(value) ? value : []);
        break;
      default:
        rows.text(typeof value === "string" ? value : null);
    }
  }
}
