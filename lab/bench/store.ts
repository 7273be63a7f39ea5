import type { DurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { createDatabase, createPool, type Database } from "../../packages/server/src/db/database.ts";
import { type ColumnTypes, readColumnTypes } from "./copy-text.ts";
import { insertSenders, type Sender } from "./ingest-tenants.ts";
import { addPayloadColumns } from "./payload-columns.ts";
import type { Packing } from "./text-rows.ts";

/** A migrated database with tenants that send traces. */
export interface Store {
  url: string;
  db: Database;
  senders: Sender[];
  types: ColumnTypes;
  drop(): Promise<void>;
}

export async function createStore(
  postgres: DurablePostgres,
  tenants: number,
  packing: Packing = "packed",
): Promise<Store> {
  const database = await postgres.create();
  if (packing === "unpacked") await addPayloadColumns(database.url);
  const db = createDatabase(createPool(database.url, { max: 1, statement_timeout: 0, query_timeout: 0 }));
  return {
    url: database.url,
    db,
    senders: await insertSenders(db, tenants),
    types: await readColumnTypes(database.url),
    async drop() {
      await db.destroy();
      await database.drop();
    },
  };
}
