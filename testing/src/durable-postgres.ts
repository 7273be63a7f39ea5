import { randomBytes } from "node:crypto";
import { migrate } from "../../server/src/db/migrate.ts";
import { databaseUrl, execute } from "./databases.ts";
import { openPostgres } from "./open-postgres.ts";

export interface DurablePostgres {
  /** Creates a migrated database for this run. */
  create(): Promise<DurableDatabase>;
  stop(): Promise<void>;
}

export interface DurableDatabase {
  url: string;
  drop(): Promise<void>;
}

const DURABILITY_SETTINGS = ["fsync", "synchronous_commit", "full_page_writes"];

/** Opens the server in TEST_DATABASE_URL, or starts one for this run; requires durable settings of both. */
export async function openDurablePostgres(): Promise<DurablePostgres> {
  const { adminUrl, stop } = await openPostgres([]);
  await expectDurable(adminUrl);
  return {
    async create() {
      const name = `whytrace_bench_${randomBytes(4).toString("hex")}`;
      await execute(adminUrl, `create database ${name}`);
      const database: DurableDatabase = {
        url: databaseUrl(adminUrl, name),
        async drop() {
          await execute(adminUrl, `drop database ${name} with (force)`);
        },
      };
      try {
        await migrate(database.url);
      } catch (error) {
        await database.drop();
        throw error;
      }
      return database;
    },
    stop,
  };
}

async function expectDurable(adminUrl: string): Promise<void> {
  for (const name of DURABILITY_SETTINGS) {
    const { rows } = await execute(adminUrl, `select current_setting('${name}') as value`);
    if (rows[0].value !== "on")
      throw new Error(`${name} is ${rows[0].value}: measurements need a durable PostgreSQL`);
  }
}
