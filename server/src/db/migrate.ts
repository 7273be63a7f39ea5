import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { createDatabase, createPool, type Database } from "./database.ts";

// Resolves to the same folder from src/db and from dist/db, so that the build has nothing to copy.
const FOLDER = new URL("../../src/db/migrations/", import.meta.url);

/**
 * Applies the pending migrations in one transaction and returns their names. Holds an advisory lock: if several
 * processes start at once, one migrates and the others wait, without a timeout.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const db = createDatabase(createPool(databaseUrl, { max: 2, statement_timeout: 0, query_timeout: 0 }));
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(db) } });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    return results.map((result) => result.migrationName);
  } finally {
    await db.destroy();
  }
}

/** Returns the names of the migrations that are not applied yet. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ hasTable: boolean }>`
    select to_regclass('kysely_migration') is not null as has_table`.execute(db);
  const applied = new Set(rows[0]?.hasTable ? await appliedMigrations(db) : []);
  const names = (await migrationFiles()).map((file) => file.replace(/\.sql$/, ""));
  return names.filter((name) => !applied.has(name));
}

const migrationFiles = async () => (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();

async function readMigrations(db: Database): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  // During a rollout a newer version may have applied migrations that this one does not have.
  for (const name of await appliedMigrations(db)) migrations[name] = { up: async () => {} };
  for (const file of await migrationFiles()) {
    const statements = await readFile(new URL(file, FOLDER), "utf8");
    migrations[file.replace(/\.sql$/, "")] = { up: (trx) => run(trx, statements) };
  }
  return migrations;
}

async function run(trx: Database, statements: string) {
  // A migration that waits for a lock blocks the queries queued behind it, so it gives up after a while.
  await sql`set local lock_timeout = '5s'`.execute(trx);
  await sql.raw(statements).execute(trx);
}

async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}
