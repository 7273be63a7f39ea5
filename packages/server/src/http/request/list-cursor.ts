import { createHash } from "node:crypto";
import { isStorable } from "@whytrace/contract";
import { z } from "zod";
import { HttpError } from "../http-error.ts";
import { textParam } from "./query-params.ts";

const START = "start";
const HASH_BYTES = 8;
export const INVALID_CURSOR =
  "Invalid cursor parameter. Must be start, or the nextCursor of an earlier response to the same filters.";
export const CURSOR_ORDER =
  "Invalid cursor parameter. With a cursor, records come in the order of their ids: leave out page and sort.";

/** The start of a list, or the key of the last record that was returned. */
export type ListPosition = "start" | string[];

export const cursorParam = textParam(
  "Read the whole list: start, and then the nextCursor of each response, until it is null. Records come in the order of " +
    "their ids, which never change, so that none is returned twice, and none is missing that is there from the start to the " +
    "end, whatever is stored meanwhile. The response has nextCursor instead of total, page and totalPages",
);

interface ListQuery {
  cursor: string;
  page: number;
  sort: string | undefined;
}

/** Reads a cursor, which holds a key of `keyLength` parts and a hash of the filter. Throws 400 if it is another list's. */
export function readCursor(
  { cursor, page, sort }: ListQuery,
  filter: object,
  keyLength: number,
): ListPosition {
  if (page !== 1 || sort !== undefined) throw new HttpError(400, CURSOR_ORDER);
  if (cursor === START) return START;
  const bytes = Buffer.from(cursor, "base64url");
  const key = keySchema.safeParse(parseJson(bytes.subarray(HASH_BYTES).toString()));
  const isOfList = bytes.subarray(0, HASH_BYTES).equals(hashOf(filter));
  if (!isOfList || key.data?.length !== keyLength) throw new HttpError(400, INVALID_CURSOR);
  return key.data;
}

/** Nothing of a cursor is secret: the key is one that the user has read. */
export const writeCursor = (key: string[], filter: object): string =>
  Buffer.concat([hashOf(filter), Buffer.from(JSON.stringify(key))]).toString("base64url");

/** The rows of a page, of which one more was read: it tells whether there is another page. */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, nextCursor: last === undefined ? null : cursorOf(last) };
}

const keySchema = z.array(z.string().refine(isStorable));

/** Absent fields do not count, so that a new filter does not invalidate cursors. */
const hashOf = (filter: object) =>
  createHash("sha256").update(JSON.stringify(filter)).digest().subarray(0, HASH_BYTES);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
