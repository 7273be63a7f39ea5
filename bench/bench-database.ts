import { randomBytes } from "node:crypto";
import { migrate } from "../server/src/db/migrate.ts";
import { databaseUrl, execute } from "../server/test/postgres.ts";

export interface BenchDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A migrated database of the run's own on the server TEST_DATABASE_URL names: figures need to know their server. */
export async function createBenchDatabase(): Promise<BenchDatabase> {
  const adminUrl = process.env.TEST_DATABASE_URL;
  if (!adminUrl) throw new Error("Set TEST_DATABASE_URL to the PostgreSQL server to measure on");
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
}
