import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { distributingNewTables } from "./cluster/distribute-new-tables.ts";
import { createDatabase, createPool, type Database } from "./database.ts";
import { isConcurrent, runConcurrently } from "./migrations/run-concurrently.ts";
import { splitStatements } from "./migrations/split-statements.ts";

// Resolves to the same folder from src/db and from dist/db, so that the build has nothing to copy.
const FOLDER = new URL("../../src/db/migrations/", import.meta.url);
const LOCK_RETRY_MS = 200;

/**
 * Applies the pending migrations and returns their names. Holds an advisory lock: if several processes start at once, one
 * migrates and the others wait, without a timeout.
 */
export async function migrate(databaseUrl: string, folder = FOLDER): Promise<string[]> {
  const db = createDatabase(
    createPool(databaseUrl, {
      max: 2,
      statement_timeout: 0,
      query_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    }),
  );
  try {
    for (;;) {
      const applied = await tryMigrate(db, folder);
      if (applied) return applied;
      await sleep(LOCK_RETRY_MS);
    }
  } finally {
    await db.destroy();
  }
}

/**
 * Returns undefined if another process migrates. A concurrent index build waits for every older snapshot. So the
 * transaction that holds the lock is idle and, in read committed, has no snapshot; and waiting processes poll, because
 * a statement that waits for a lock has one.
 */
function tryMigrate(db: Database, folder: URL): Promise<string[] | undefined> {
  return db.transaction(
    async (lock) => {
      const { rows } = await sql<{ isLocked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended('whytrace migrations', 0)) as is_locked`.execute(
        lock,
      );
      return rows[0]?.isLocked ? applyPending(db, folder) : undefined;
    },
    { isolationLevel: "read committed" },
  );
}

interface Migration {
  name: string;
  statements: string;
}

/** Consecutive migrations share a transaction; one that is marked as concurrent runs by itself, outside a transaction. */
async function applyPending(db: Database, folder: URL): Promise<string[]> {
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) primary key,
      timestamp varchar(255) not null
    )`.execute(db);
  const names = await pendingMigrations(db, folder);
  let group: Migration[] = [];
  for (const name of names) {
    const statements = await readFile(new URL(`${name}.sql`, folder), "utf8");
    if (!isConcurrent(statements)) {
      group.push({ name, statements });
      continue;
    }
    await applyTogether(db, group);
    group = [];
    await runConcurrently(db, statements);
    await recordApplied(db, name);
  }
  await applyTogether(db, group);
  return names;
}

async function applyTogether(db: Database, migrations: Migration[]): Promise<void> {
  if (migrations.length === 0) return;
  await db.transaction(async (trx) => {
    await distributingNewTables(trx, async () => {
      // A migration that waits for a lock blocks the queries queued behind it, so it gives up after a while.
      await sql`set local lock_timeout = '5s'`.execute(trx);
      for (const { name, statements } of migrations) {
        // One by one: Citus cannot pass on a change of a table that came together with other statements.
        for (const statement of splitStatements(statements)) await sql.raw(statement).execute(trx);
        await recordApplied(trx, name);
      }
    });
  });
}

async function recordApplied(db: Database, name: string): Promise<void> {
  const timestamp = new Date().toISOString();
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(db);
}

/** Returns the names of the migrations that are not applied yet, in their order. */
export async function pendingMigrations(db: Database, folder = FOLDER): Promise<string[]> {
  const { rows } = await sql<{ hasTable: boolean }>`
    select to_regclass('kysely_migration') is not null as has_table`.execute(db);
  const applied = new Set(rows[0]?.hasTable ? await appliedMigrations(db) : []);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  return files.map((file) => file.replace(/\.sql$/, "")).filter((name) => !applied.has(name));
}

async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map((row) => row.name);
}
