import pg from "pg";
import type { BinaryRows } from "./binary-rows.ts";

/** Rows of one table in PostgreSQL's binary COPY format. */
export interface CopiedTable {
  /** The statement, `copy … from stdin (format binary)`. */
  statement: string;
  rows: BinaryRows;
}

/**
 * Several tables in one message: the statements go out together and the data right behind them, without waiting to be
 * asked for it. Should one fail, the server passes over the data of the others, as the protocol has it.
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
    // Statements that are called right behind it leave in the same write.
    setImmediate(() => stream.uncork());
  };

  /** The server asks for what is on its way already. */
  handleCopyInResponse() {}
}

export async function copyRows(client: pg.PoolClient, tables: CopiedTable[]): Promise<void> {
  if (tables.length === 0) return;
  await new Promise<void>((resolve, reject) => {
    client.query(new CopyQuery(tables, (error) => (error ? reject(error) : resolve())));
  });
  // Not after a failure: then the socket may still be sending them.
  for (const { rows } of tables) rows.release();
}
