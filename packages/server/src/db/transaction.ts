import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Database, databaseOn, type Sharding } from "./database.ts";
import type { Node } from "./node.ts";
import { READ_ONLY, sqlState } from "./sql-state.ts";

/** SQLSTATE of serialization failures and deadlocks. */
const CONFLICTS = new Set(["40001", "40P01"]);
const MAX_ATTEMPTS = 6;

/** Work that has taken longer is rolled back: a caller that retries loses little, for work takes seconds at most if it waits for locks. */
const MAX_WORK_MS = 120_000;

/**
 * What a transaction wrote is visible so long after its begin at the latest, or never: after its work, COMMIT arrives within
 * `idle_in_transaction_session_timeout` and takes no longer than a statement may.
 */
export const MAX_TRANSACTION_SECONDS = 170;

/** Has the SQLSTATE of PostgreSQL's own transaction_timeout, which version 17 introduced. */
class TransactionTimeout extends Error {
  readonly code = "25P04";

  constructor() {
    super(`The transaction was rolled back: its work took longer than ${MAX_WORK_MS / 1_000} s`);
  }
}

/** Throws if work that began at this time, as `performance.now()` told it, may not be committed any more. */
function checkTime(beganAt: number): void {
  if (performance.now() - beganAt > MAX_WORK_MS) throw new TransactionTimeout();
}

/** Thrown inside a transaction that conflicts with a concurrent one: `transaction` retries it. */
export class Conflict extends Error {
  readonly code = "40001";
}

/** Runs `work` in one transaction and retries it after a serialization failure or deadlock. */
export function transaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  return retryConflicts(() =>
    db.transaction(async (trx) => {
      const beganAt = performance.now();
      const result = await work(trx);
      checkTime(beganAt);
      return result;
    }),
  );
}

/**
 * Changes the directory in a transaction that first locks rows of a workspace. `change` returns whether it changed anything.
 * Transactions that take the same locks have then ended, or see the change.
 */
export async function changeBehindLocks(
  db: Database,
  lock: (trx: Database) => Promise<void>,
  change: (trx: Database) => Promise<boolean>,
): Promise<boolean> {
  const isChanged = await transaction(db, async (trx) => {
    await lock(trx);
    return change(trx);
  });
  // A cluster releases the locks of other nodes before it commits on the coordinator. Whoever got them in between ends first.
  if (isChanged && db.sharding) await transaction(db, lock);
  return isChanged;
}

/** Like `transaction`, but also passes the client, for work that needs the wire protocol (COPY). */
export function clientTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, trx: Database) => Promise<T>,
  sharding?: Sharding,
): Promise<T> {
  return retryConflicts(async () => {
    const client = await pool.connect();
    const open = new OpenTransaction(client);
    let isBroken = false;
    try {
      const beganAt = performance.now();
      // BEGIN shares the round trip of the first statement.
      const [, result] = await Promise.all([
        client.query("begin"),
        callAsync(() => work(open.client, databaseOn(open.client, sharding))),
      ]);
      open.end();
      checkTime(beganAt);
      const { command } = await client.query("commit");
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, not with an error.
      if (command !== "COMMIT") throw new Error("The transaction was rolled back");
      return result;
    } catch (error) {
      open.end();
      // A new connection finds out when the database is writable again.
      isBroken = sqlState(error) === READ_ONLY;
      await client.query("rollback").catch(() => {
        isBroken = true;
      });
      throw error;
    } finally {
      client.release(isBroken);
    }
  });
}

/** Like `clientTransaction`, on the connections to a node. */
export const nodeTransaction = <T>(
  node: Node,
  purpose: "read" | "write" | "group",
  work: (client: pg.PoolClient, trx: Database) => Promise<T>,
): Promise<T> => clientTransaction(node[purpose], work, node.sharding);

/**
 * The client as the work of one transaction sees it. If one branch of the work fails, others may still be running: a
 * statement that they send after the rollback would run on its own, or in the next transaction of the connection. So the
 * client throws as soon as the transaction ends.
 */
class OpenTransaction {
  readonly client: pg.PoolClient;
  #isOpen = true;

  constructor(client: pg.PoolClient) {
    const query = (...args: unknown[]) => {
      if (!this.#isOpen) throw new Error("The transaction has ended");
      return Reflect.apply(client.query, client, args);
    };
    this.client = Object.create(client, { query: { value: query } });
  }

  end() {
    this.#isOpen = false;
  }
}

async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!CONFLICTS.has(sqlState(error)) || attempts === MAX_ATTEMPTS) throw error;
      await sleep(Math.random() * 20 * attempts);
    }
  }
}

/**
 * Runs several reads on one snapshot of the database, in one round trip. `work` must issue all its statements before it
 * waits for a result. Whatever fails, COMMIT is sent, and the connection is not returned before its answer.
 */
export async function snapshotOn<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  const statements = [
    client.query("begin isolation level repeatable read read only"),
    callAsync(work),
    client.query("commit"),
  ] as const;
  await Promise.allSettled(statements);
  const [, result] = await Promise.all(statements);
  return result;
}

/** Calls a function so that what it throws before its first `await` becomes a rejection, too. */
const callAsync = async <T>(work: () => Promise<T>): Promise<T> => work();

/** Runs several reads on one snapshot of the database, one after another. */
export async function readSnapshot<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  // BEGIN shares the round trip of the first statement.
  const begin = client.query("begin isolation level repeatable read read only");
  try {
    const [, result] = await Promise.all([begin, work()]);
    return result;
  } finally {
    await client.query("commit");
  }
}
