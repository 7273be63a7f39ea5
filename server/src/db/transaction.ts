import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Database, databaseOn } from "./database.ts";

/** SQLSTATE of serialization failures and deadlocks. */
const CONFLICTS = new Set(["40001", "40P01"]);
const MAX_ATTEMPTS = 6;

/** Thrown inside a transaction that conflicts with a concurrent one: `transaction` retries it. */
export class Conflict extends Error {
  readonly code = "40001";
}

/** Runs `work` in one transaction and retries it after a serialization failure or deadlock. */
export function transaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  return retryConflicts(() => db.transaction().execute(work));
}

/** Like `transaction`, but also passes the client, for work that needs the wire protocol (COPY). */
export function clientTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, trx: Database) => Promise<T>,
): Promise<T> {
  return retryConflicts(async () => {
    const client = await pool.connect();
    let isBroken = false;
    try {
      // BEGIN shares the round trip of the first statement.
      const [, result] = await Promise.all([client.query("begin"), work(client, databaseOn(client))]);
      const { command } = await client.query("commit");
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, not with an error.
      if (command !== "COMMIT") throw new Error("The transaction was rolled back");
      return result;
    } catch (error) {
      await client.query("rollback").catch(() => {
        isBroken = true;
      });
      throw error;
    } finally {
      client.release(isBroken);
    }
  });
}

async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isConflict = error instanceof Error && "code" in error && CONFLICTS.has(String(error.code));
      if (!isConflict || attempts === MAX_ATTEMPTS) throw error;
      await sleep(Math.random() * 20 * attempts);
    }
  }
}

/** Runs several reads on one snapshot of the database. */
export function snapshot<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(work);
}
