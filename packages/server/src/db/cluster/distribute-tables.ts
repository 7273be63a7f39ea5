import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { createDatabase } from "../database.ts";
import { DROPPED_CONSTRAINTS } from "../distributed-tables.ts";
import { sqlState } from "../sql-state.ts";
import { distributeOnline } from "./distribute-online.ts";
import { readDistribution } from "./read-distribution.ts";

export interface DistributeOptions {
  /** For the first table; the others are colocated with it. */
  shardCount: number;
  /** Tables stay writable while they are copied, except for a moment at the end of each. */
  isOnline: boolean;
}

export interface DistributionStep {
  table: string;
  state: "started" | "done";
  /** Size of the table and its indexes before it is distributed. */
  bytes: number;
  durationMs?: number;
  /** Statements that had to be sent again. */
  canceled?: number;
}

/** One row for each workspace: copied in a moment, and updated by every batch, so they never wait for a long copy. */
const SMALL_TABLES = new Set(["subscriptions", "trace_totals"]);
const LOCK_NOT_AVAILABLE = "55P03";
const LOCK_ATTEMPTS = 20;

/** Distributes the tables that are not distributed yet, in their order; yields before and after each. */
export async function* distributeTables(
  pool: pg.Pool,
  { shardCount, isOnline }: DistributeOptions,
): AsyncGenerator<DistributionStep> {
  const tables = await readDistribution(createDatabase(pool));
  const first = tables[0]?.name;
  for (const { name: table, column, doesExist } of tables) {
    if (column !== null || !doesExist) continue;
    const bytes = await sizeOf(pool, table);
    yield { table, state: "started", bytes };
    const startedAt = performance.now();
    const target =
      table === first
        ? { table, colocateWith: "none", shardCount }
        : { table, colocateWith: first ?? "none", shardCount: null };
    const isCopiedOnline = isOnline && !SMALL_TABLES.has(table);
    const canceled = isCopiedOnline
      ? await distributeOnline(pool, target)
      : await distributeBlocking(pool, target);
    yield { table, state: "done", bytes, durationMs: performance.now() - startedAt, canceled };
  }
}

async function sizeOf(pool: pg.Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    "select pg_total_relation_size($1::regclass) as bytes",
    [table],
  );
  return rows[0]?.bytes ?? 0;
}

/**
 * Blocks writers of the table while it is copied. It gives up its place in the queue for the lock after a while, so that
 * the statements behind it do not wait for one long transaction.
 */
async function distributeBlocking(
  pool: pg.Pool,
  target: { table: string; colocateWith: string; shardCount: number | null },
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect();
    try {
      await client.query("begin");
      await client.query("set local lock_timeout = '2s'");
      for (const { table, constraint } of DROPPED_CONSTRAINTS)
        if (table === target.table)
          await client.query(`alter table ${table} drop constraint if exists ${constraint}`);
      await client.query(
        "select create_distributed_table($1::regclass, 'workspace_id', colocate_with => $2, shard_count => $3)",
        [target.table, target.colocateWith, target.shardCount],
      );
      // The rows that were copied are still in the coordinator's own table, where nobody sees them.
      await client.query("select truncate_local_data_after_distributing_table($1::regclass)", [target.table]);
      await client.query("commit");
      return 0;
    } catch (error) {
      await client.query("rollback");
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error;
      await sleep(500);
    } finally {
      client.release();
    }
  }
}
