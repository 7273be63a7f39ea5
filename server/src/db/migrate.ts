import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Database } from "./database.ts";

// Resolves to the same folder from src/db and from dist/db, so that the build has nothing to copy.
const FOLDER = new URL("../../src/db/migrations/", import.meta.url);

/**
 * Applies the pending migrations in one transaction under an advisory lock: of several processes that start
 * at once, one migrates and the others wait for it. Returns the names of those applied.
 */
export async function migrate(db: Database): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(db) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

async function readMigrations(db: Database): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  // A newer version may have migrated already while this one still runs or restarts; that is no fault.
  for (const name of await appliedMigrations(db)) migrations[name] = { up: async () => {} };
  for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort()) {
    const text = await readFile(new URL(file, FOLDER), "utf8");
    migrations[file.replace(/\.sql$/, "")] = { up: (trx) => run(trx, text) };
  }
  return migrations;
}

async function run(trx: Database, text: string) {
  // A migration that cannot have its lock soon gives way to the traffic; it has all the time it needs once it has it.
  await sql`set local lock_timeout = '5s'`.execute(trx);
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql.raw(text).execute(trx);
}

async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}
