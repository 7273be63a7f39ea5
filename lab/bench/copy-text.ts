import { execute } from "@whytrace/testing/postgres/databases.ts";
import type { CopiedTable } from "../../packages/server/src/db/copy/copy-rows.ts";

/** The type of each column, by `table.column`. */
export type ColumnTypes = ReadonlyMap<string, string>;

/** The header of the wire message and the header of the binary COPY format. */
const HEADER_BYTES = 5 + 19;
const EPOCH_2000_US = 946_684_800_000_000n;

export async function readColumnTypes(databaseUrl: string): Promise<ColumnTypes> {
  const { rows } = await execute(
    databaseUrl,
    `select table_name || '.' || column_name as name, udt_name as type
     from information_schema.columns where table_schema = 'public'`,
  );
  return new Map(rows.map((row: { name: string; type: string }) => [row.name, row.type]));
}

export interface TextRows {
  table: string;
  columns: string[];
  rows: (string | null)[][];
}

/** Decodes the rows that the server encodes for binary COPY, so that every variant stores the same rows. */
export function readRows({ statement, rows: encoded }: CopiedTable, types: ColumnTypes): TextRows {
  const data = encoded.end();
  const [, table = "", list = ""] = /^copy (\w+) \(([^)]+)\)/.exec(statement) ?? [];
  const columns = list.split(", ");
  const readers = columns.map((column) => readerOf(types.get(`${table}.${column}`)));
  const rows: (string | null)[][] = [];
  for (let at = HEADER_BYTES; data.readInt16BE(at) !== -1; ) {
    at += 2;
    rows.push(
      readers.map((read) => {
        const length = data.readInt32BE(at);
        const value = data.subarray(at + 4, at + 4 + Math.max(0, length));
        at += 4 + value.length;
        return length === -1 ? null : read(value);
      }),
    );
  }
  encoded.release();
  return { table, columns, rows };
}

/** Formats the rows as a text COPY command of a psql script. */
export function writeCopyText({ table, columns, rows }: TextRows): string {
  const lines = rows.map((row) => row.map((field) => (field === null ? "\\N" : escaped(field))).join("\t"));
  return [`copy ${table} (${columns.join(", ")}) from stdin;`, ...lines, "\\.", ""].join("\n");
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escaped = (text: string) => text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character);

function readerOf(type: string | undefined): (value: Buffer) => string {
  switch (type) {
    case "text":
    case "json":
      return (value) => value.toString();
    case "jsonb":
      // After a byte with the version of its binary form.
      return (value) => value.toString("utf8", 1);
    case "uuid":
      return (value) => value.toString("hex");
    case "bytea":
      return (value) => `\\x${value.toString("hex")}`;
    case "bool":
      return (value) => (value[0] === 1 ? "t" : "f");
    case "int2":
      return (value) => String(value.readInt16BE());
    case "int4":
      return (value) => String(value.readInt32BE());
    case "int8":
      return (value) => String(value.readBigInt64BE());
    case "float8":
      return (value) => String(value.readDoubleBE());
    case "timestamptz":
      return (value) => new Date(Number((value.readBigInt64BE() + EPOCH_2000_US) / 1_000n)).toISOString();
    case "_text":
      return readTexts;
    case "_int8":
      return readBigints;
    default:
      throw new Error(`No text form for a column of type ${type}`);
  }
}

/** After the array header of 20 bytes, each element is its length and 8 bytes. */
function readBigints(value: Buffer): string {
  const numbers: bigint[] = [];
  for (let at = 24; at < value.length; at += 12) numbers.push(value.readBigInt64BE(at));
  return `{${numbers.join()}}`;
}

/** Skips the array header of 20 bytes, then reads the length and bytes of each element. */
function readTexts(value: Buffer): string {
  const texts: string[] = [];
  for (let at = 20; at < value.length; ) {
    const length = value.readInt32BE(at);
    texts.push(value.toString("utf8", at + 4, at + 4 + length));
    at += 4 + length;
  }
  return arrayText(texts);
}

export const arrayText = (texts: string[]) =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
