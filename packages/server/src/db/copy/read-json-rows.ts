import { type RawBuilder, sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../database.ts";

const CHUNK_ROWS = 1_000;

/**
 * Reads very many small rows in their order. PostgreSQL sends them as JSON, a chunk at a time, and other requests run between
 * chunks: the driver would take several times as long, in one piece. Columns have the names that the query gives them.
 */
export async function readJsonRows<Row>(db: Database, query: RawBuilder<unknown>): Promise<Row[]> {
  const { rows: chunks } = await sql<{ json: string }>`
    select json_agg(listed order by number) as json
    from (select listed, row_number() over () as number from (${query}) as listed) as numbered
    group by (number - 1) / ${sql.lit(CHUNK_ROWS)} order by min(number)`.execute(db.withoutPlugins());
  return runInTimeSlices(parseChunks(chunks));
}

function* parseChunks<Row>(chunks: { json: string }[]): Generator<undefined, Row[]> {
  const rows: Row[] = [];
  for (const { json } of chunks) {
    const parsed: Row[] = JSON.parse(json);
    for (const row of parsed) rows.push(row);
    yield;
  }
  return rows;
}
