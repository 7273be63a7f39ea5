import pg from "pg";
import type { BinaryRows } from "./binary-rows.ts";

/** Rows to copy into one table. */
export interface CopiedTable {
  /** The statement, `copy … from stdin (format binary)`. */
  statement: string;
  rows: BinaryRows;
}

/**
 * Copies several tables in one round trip: sends all COPY statements as one query and the data right after, without
 * waiting for CopyInResponse. If a statement fails, the server discards the remaining COPY messages, as the protocol
 * specifies.
 */
class CopyQuery extends pg.Query {
  readonly #tables: CopiedTable[];

  constructor(tables: CopiedTable[], done: (error: Error | null) => void) {
    super(tables.map((table) => table.statement).join(";"), done);
    this.#tables = tables;
  }

  override submit = (connection: pg.Connection) => {
    const { stream } = connection;
    stream.cork();
    pg.Query.prototype.submit.call(this, connection);
    for (const { rows } of this.#tables) stream.write(rows.end());
    // Queries issued right after this one join the same socket write.
    setImmediate(() => stream.uncork());
  };

  /** Nothing to do: the data has already been sent. */
  handleCopyInResponse() {}
}

export async function copyRows(client: pg.PoolClient, tables: CopiedTable[]): Promise<void> {
  if (tables.length === 0) return;
  await new Promise<void>((resolve, reject) => {
    client.query(new CopyQuery(tables, (error) => (error ? reject(error) : resolve())));
  });
  // Not released after a failure, because the socket may still be sending the buffers.
  for (const { rows } of tables) rows.release();
}
