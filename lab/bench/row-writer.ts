import pg from "pg";
import type { ColumnTypes, TextRows } from "./copy-text.ts";
import type { IngestBatch } from "./generate/generate-batches.ts";
import { writeTextRows } from "./text-rows.ts";

const CONNECTIONS = 4;

/** Writes one parameterised statement per row and one transaction per batch, like an object-relational mapper. */
export async function prepareRowWriter(
  databaseUrl: string,
  batches: Iterable<IngestBatch>,
  types: ColumnTypes,
) {
  const encoded = await Promise.all(Array.from(batches, (batch) => writeTextRows(batch, "unpacked", types)));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  return {
    async run() {
      const queue = encoded.values();
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          for (const tables of queue) await writeBatch(pool, tables);
        }),
      );
    },
    remove: () => pool.end(),
  };
}

async function writeBatch(pool: pg.Pool, tables: TextRows[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const { table, columns, rows } of tables) {
      const text = `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, i) => `$${i + 1}`).join(", ")})`;
      for (const values of rows) await client.query({ name: table, text, values });
    }
    await client.query("commit");
  } finally {
    client.release();
  }
}
