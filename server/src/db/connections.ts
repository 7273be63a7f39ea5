import type pg from "pg";
import { RecentUsers } from "../concurrency/recent-users.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import { createDatabase, createPool, type Database } from "./database.ts";
import { FairDatabase } from "./fair-database.ts";

export interface ConnectionLimits {
  account: number;
  read: number;
  readPerUser: number;
  /** How many seconds of a minute the queries of one user may run, all together. */
  readSecondsPerMinute: number;
  write: number;
  writePerUser: number;
}

/** Shared transactions: one connection for each writer of the group commit. */
export const GROUP_CONNECTIONS = 3;

/**
 * A request in a shared transaction must not make the others wait for a lock. It fails soon and is stored in a transaction
 * of its own.
 */
const SHARED_LOCK_TIMEOUT_MS = 100;
const LOCK_TIMEOUT_MS = 5_000;

/**
 * All connections to the database, in pools that do not take from each other: whatever users read and write, sign-in, API
 * keys, billing and the health check have connections of their own.
 */
export class Connections {
  /** For everything but users' traces: accounts, sessions, keys, billing, mails, live updates, workers. */
  readonly account: Database;
  /** The same connections, for workers that copy rows. */
  readonly workers: pg.Pool;
  /** For reading users' traces. */
  readonly reads: FairDatabase;
  /** For one user's transaction at a time: large batches, deletions. */
  readonly writes: FairDatabase;
  /** For transactions that requests of several users share. */
  readonly groups: pg.Pool;
  readonly health: pg.Pool;
  /** Who reads or sends traces. */
  readonly recentUsers = new RecentUsers();
  readonly #pools: Readonly<Record<"account" | "read" | "write" | "group" | "health", pg.Pool>>;

  constructor(databaseUrl: string, limits: ConnectionLimits, watch?: ConnectionWatch) {
    const open = (options: pg.PoolConfig) => createPool(databaseUrl, options, watch);
    this.#pools = {
      account: open({ max: limits.account }),
      read: open({ max: limits.read }),
      write: open({ max: limits.write, lock_timeout: LOCK_TIMEOUT_MS }),
      group: open({ max: GROUP_CONNECTIONS, lock_timeout: SHARED_LOCK_TIMEOUT_MS }),
      health: createPool(databaseUrl, { max: 1, connectionTimeoutMillis: 900, query_timeout: 900 }),
    };
    this.account = createDatabase(this.#pools.account);
    this.workers = this.#pools.account;
    this.reads = new FairDatabase(this.#pools.read, {
      maxRunning: limits.read,
      maxRunningPerUser: limits.readPerUser,
      maxRunningPerUserWhileShared: 1,
      maxWaitingPerUser: 100,
      maxWaitMs: 15_000,
      maxBusyMsPerMinute: limits.readSecondsPerMinute * 1_000,
      recentUsers: this.recentUsers,
    });
    this.writes = new FairDatabase(this.#pools.write, {
      maxRunning: limits.write,
      maxRunningPerUser: limits.writePerUser,
      maxRunningPerUserWhileShared: 1,
      maxWaitingPerUser: 200,
      maxWaitMs: 25_000,
      recentUsers: this.recentUsers,
    });
    this.groups = this.#pools.group;
    this.health = this.#pools.health;
  }

  get openCount() {
    return Object.values(this.#pools).reduce((sum, pool) => sum + pool.totalCount, 0);
  }

  /** Queries that wait for a connection. Users' reads and writes wait for their turn before that. */
  get waitingCount() {
    return Object.values(this.#pools).reduce((sum, pool) => sum + pool.waitingCount, 0);
  }

  onError(report: (error: Error) => void) {
    for (const pool of Object.values(this.#pools)) pool.on("error", report);
  }

  async end(): Promise<void> {
    await Promise.allSettled(Object.values(this.#pools).map((pool) => pool.end()));
  }
}
