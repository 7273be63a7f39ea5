import type { DurablePostgres } from "@whytrace/testing/durable-postgres.ts";
import { createDatabase, createPool, type Database } from "../server/src/db/database.ts";
import { type ColumnTypes, readColumnTypes } from "./copy-text.ts";
import { insertSenders, type Sender } from "./ingest-tenants.ts";

/** A migrated database with tenants that send traces. */
export interface Store {
  url: string;
  db: Database;
  senders: Sender[];
  types: ColumnTypes;
  drop(): Promise<void>;
}

export async function createStore(postgres: DurablePostgres, tenants: number): Promise<Store> {
  const database = await postgres.create();
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
