import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import { copyOut, PIECE_BYTES } from "./copy-out.ts";

const COMMA = Buffer.from(",");

/**
 * Runs a query that selects one `json` column and returns its values, separated by commas or as told.
 */
export async function copyJson(
  client: pg.PoolClient,
  query: RawBuilder<unknown>,
  separator: Buffer = COMMA,
): Promise<Buffer> {
  const rows = await copyValues(client, query);
  const [only] = rows;
  if (only && rows.length === 1) return only;
  return Buffer.concat(rows.flatMap((row, index) => (index === 0 ? [row] : [separator, row])));
}

/**
 * Like `copyJson`, for one large value, which comes in pieces.
 */
export function copyLargeJson(client: pg.PoolClient, query: RawBuilder<unknown>): Promise<Buffer[]> {
  return copyValues(
    client,
    sql`
      select substring(bytes from start for ${PIECE_BYTES}) from (
        select convert_to((${query})::text, 'UTF8') as bytes offset 0
      ) as value, generate_series(1, length(bytes), ${PIECE_BYTES}) as start`,
  );
}

async function copyValues(client: pg.PoolClient, query: RawBuilder<unknown>): Promise<Buffer[]> {
  const rows = await copyOut(client, query);
  return rows.flatMap(([value]) => value ?? []);
}
