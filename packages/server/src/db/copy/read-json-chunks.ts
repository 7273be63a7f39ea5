import type { RawBuilder } from "kysely";
import type pg from "pg";
import type { FairDatabase } from "../fair-database.ts";
import type { WorkspaceId } from "../workspace-id.ts";
import { copyJson, copyLargeJson } from "./copy-json.ts";

/** A row of a list, and an upper bound of its size. */
export interface SizedRow {
  id: string;
  maxBytes: number;
}

/** A chunk holds more than this only if it is a single row. */
const MAX_CHUNK_BYTES = 12 * 1024 * 1024;
const MIN_LARGE_BYTES = 1024 * 1024;

/**
 * Reads the rows of a list as JSON, as many at a time as fit into a chunk. Each chunk is read in a slot of its own, so no
 * connection waits for a slow client. A row that was deleted meanwhile is left out. Commas separate rows, unless another
 * separator is given.
 */
export async function* readJsonChunks<Row extends SizedRow>(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  rows: Row[],
  query: (rows: Row[]) => RawBuilder<unknown>,
  separator?: Buffer,
): AsyncGenerator<Buffer[]> {
  for (const chunk of chunksOf(rows)) {
    // The slot in which the rows were found was the first one.
    const json = await reads.run(
      workspaceId,
      (_db, client) => readChunk(client, chunk, query(chunk), separator),
      {
        isContinued: true,
      },
    );
    if (json.length > 0) yield json;
  }
}

async function readChunk(
  client: pg.PoolClient,
  rows: SizedRow[],
  query: RawBuilder<unknown>,
  separator: Buffer | undefined,
): Promise<Buffer[]> {
  const [first] = rows;
  if (first && rows.length === 1 && first.maxBytes > MIN_LARGE_BYTES) return copyLargeJson(client, query);
  const json = await copyJson(client, query, separator);
  return json.length > 0 ? [json] : [];
}

function* chunksOf<Row extends SizedRow>(rows: Row[]): Generator<Row[]> {
  let chunk: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (chunk.length > 0 && bytes + row.maxBytes > MAX_CHUNK_BYTES) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(row);
    bytes += row.maxBytes;
  }
  if (chunk.length > 0) yield chunk;
}
