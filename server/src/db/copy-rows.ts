import pg from "pg";

/** Rows of one table in PostgreSQL's binary COPY format. */
export interface CopiedTable {
  /** The statement, `copy … from stdin (format binary)`. */
  statement: string;
  data: Buffer;
}

interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** One round trip for several tables: the statements go out together, each one's data when the server asks for it. */
class CopyQuery extends pg.Query {
  readonly #tables: CopiedTable[];

  constructor(tables: CopiedTable[], done: (error: Error | null) => void) {
    super(tables.map((table) => table.statement).join(";"), done);
    this.#tables = [...tables];
  }

  /** Called by the driver when the server is ready for the next table's data. */
  handleCopyInResponse(connection: CopyConnection) {
    const table = this.#tables.shift();
    if (table) connection.sendCopyFromChunk(table.data);
    connection.endCopyFrom();
  }
}

export async function copyRows(client: pg.PoolClient, tables: CopiedTable[]): Promise<void> {
  if (tables.length === 0) return;
  await new Promise<void>((resolve, reject) => {
    client.query(new CopyQuery(tables, (error) => (error ? reject(error) : resolve())));
  });
}
