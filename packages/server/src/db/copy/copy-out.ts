import type { RawBuilder } from "kysely";
import pg from "pg";
import { type Database, databaseOn } from "../database.ts";
import { COPY_HEADER_BYTES } from "./read-copied-rows.ts";

/** The columns of one row as they come over the wire; null for NULL. */
export type CopiedRow = (Buffer | null)[];

/**
 * The size of the pieces in which queries return a large value, one row each. The driver collects a row in one buffer that it
 * grows and copies: a row of 10 MB takes 30 MB and blocks the event loop.
 */
export const PIECE_BYTES = 128 * 1024;

/** How much is read before other requests run. */
const BYTES_PER_TURN = 256 * 1024;

/**
 * Collects the rows of `copy … to stdout (format binary)`. Each message of the server holds whole rows; the first one
 * starts with the header. A large result is read in many iterations of the event loop: PostgreSQL sends megabytes in one.
 */
class CopyOutQuery extends pg.Query {
  readonly copied: CopiedRow[] = [];
  #isFirst = true;
  #turnBytes = 0;

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: pg.Connection) {
    this.#turnBytes += chunk.length;
    if (this.#turnBytes >= BYTES_PER_TURN) {
      this.#turnBytes = 0;
      stream.pause();
      setImmediate(() => stream.resume());
    }
    // A copy: the driver overwrites its buffer when the next packet arrives.
    const bytes = Buffer.from(chunk);
    let offset = this.#isFirst ? COPY_HEADER_BYTES : 0;
    this.#isFirst = false;
    while (offset < bytes.length) {
      const columnCount = bytes.readInt16BE(offset);
      // The trailer.
      if (columnCount === -1) return;
      offset += 2;
      const row: CopiedRow = [];
      for (let column = 0; column < columnCount; column += 1) {
        const length = bytes.readInt32BE(offset);
        offset += 4;
        row.push(length < 0 ? null : bytes.subarray(offset, offset + length));
        if (length > 0) offset += length;
      }
      this.copied.push(row);
    }
  }
}

/**
 * Runs a query and returns its rows in PostgreSQL's binary format. COPY passes the bytes on as they are: the driver would
 * decode them to strings, which blocks the event loop for 10 to 40 ms for 10 MB.
 */
export function copyOut(client: pg.PoolClient, query: RawBuilder<unknown>): Promise<CopiedRow[]> {
  return new Promise((resolve, reject) => {
    const copy: CopyOutQuery = new CopyOutQuery(copyStatement(client, query), (error: Error | null) =>
      error ? reject(error) : resolve(copy.copied),
    );
    client.query(copy);
  });
}

export const copyStatement = (client: pg.PoolClient, query: RawBuilder<unknown>): string =>
  `copy (${inlineParameters(databaseOn(client), query)}) to stdout (format binary)`;

/** COPY takes no parameters, so their values become literals. */
function inlineParameters(db: Database, query: RawBuilder<unknown>): string {
  const { sql: text, parameters } = query.compile(db);
  return text.replaceAll(/\$(\d+)/g, (_, number) => literal(parameters[Number(number) - 1]));
}

/** PostgreSQL's own error for a parameter with NUL, which would end the statement early inside a literal. */
const invalidText = () => Object.assign(new Error("text contains NUL"), { code: "22021" });

function literal(value: unknown): string {
  if (typeof value === "string") {
    if (value.includes("\0")) throw invalidText();
    return pg.escapeLiteral(value);
  }
  if (typeof value === "number") return String(value);
  throw new Error(`No SQL literal for a ${typeof value}`);
}
