import { randomBytes } from "node:crypto";
import { migrate } from "../../server/src/db/migrate.ts";
import { databaseUrl, execute, startEmbeddedPostgres } from "./postgres.ts";

export interface BenchServerOfDatabases {
  /** A migrated database of the run's own. */
  create(): Promise<BenchDatabase>;
  stop(): Promise<void>;
}

export interface BenchDatabase {
  url: string;
  drop(): Promise<void>;
}

const DURABILITY = ["fsync", "synchronous_commit", "full_page_writes"];

/** The server TEST_DATABASE_URL names, else one started for this run, durable either way. */
export async function openBenchPostgres(): Promise<BenchServerOfDatabases> {
  const given = process.env.TEST_DATABASE_URL;
  const embedded = given ? undefined : await startEmbeddedPostgres([]);
  const adminUrl = given ?? embedded?.url ?? "";
  await expectDurable(adminUrl);
  return {
    async create() {
      const name = `whytrace_bench_${randomBytes(4).toString("hex")}`;
      await execute(adminUrl, `create database ${name}`);
      const database: BenchDatabase = {
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
    async stop() {
      await embedded?.stop();
    },
  };
}

async function expectDurable(adminUrl: string): Promise<void> {
  for (const name of DURABILITY) {
    const { rows } = await execute(adminUrl, `select current_setting('${name}') as value`);
    if (rows[0].value !== "on")
      throw new Error(`${name} is ${rows[0].value}: the figures would mean nothing`);
  }
}
