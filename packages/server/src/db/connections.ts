import type pg from "pg";
import { RecentCallers } from "../concurrency/recent-callers.ts";
import { ConnectionWatch } from "./connection-watch.ts";
import { createDatabase, createPool, type Database, type Sharding } from "./database.ts";
import { FairDatabase } from "./fair-database.ts";
import type { Node } from "./node.ts";
import { ShardMap } from "./shard-map.ts";
import type { WorkspaceId } from "./workspace-id.ts";

export interface ConnectionLimits {
  account: number;
  read: number;
  readPerWorkspace: number;
  /** How many seconds of a minute the queries of one workspace may run, all together. */
  readSecondsPerMinute: number;
  write: number;
  writePerWorkspace: number;
  /** Whether the database is a Citus cluster that distributes workspaces' tables. Then the limits hold for each node. */
  isSharded: boolean;
}

/** Shared transactions: one connection for each writer of the group commit. */
export const GROUP_CONNECTIONS = 3;

/** In a cluster: for short statements on the coordinator of transactions that run on other nodes. */
const DIRECTORY_CONNECTIONS = 8;
/** In a cluster: for what is read of one workspace outside of its slots, such as its usage, on each node. */
const NODE_ACCOUNT_CONNECTIONS = 3;

/**
 * A request in a shared transaction must not make the others wait for a lock. It fails soon and is stored in a transaction
 * of its own.
 */
const SHARED_LOCK_TIMEOUT_MS = 100;
const LOCK_TIMEOUT_MS = 5_000;

/**
 * All connections to the database, in pools that do not take from each other: whatever workspaces read and write, sign-in, API
 * keys, billing and the health check have connections of their own. In a cluster, so has each node: one that does not
 * respond does not keep the users of others waiting.
 */
export class Connections {
  /** For everything but workspaces' traces: accounts, sessions, keys, billing, mails, live updates. */
  readonly account: Database;
  /**
   * For background workers: the connections of `account`, but in a cluster others, because workers also ask nodes that do
   * not respond.
   */
  readonly background: Database;
  /** The connections of `background`, for workers that copy rows. */
  readonly workers: pg.Pool;
  /** For reading workspaces' traces. */
  readonly reads: FairDatabase;
  /** For one workspace's transaction at a time: large batches, deletions. */
  readonly writes: FairDatabase;
  readonly health: pg.Pool;
  /** Who reads or sends traces. */
  readonly recentCallers = new RecentCallers();
  readonly #databaseUrl: string;
  readonly #limits: ConnectionLimits;
  readonly #watch: ConnectionWatch | undefined;
  readonly #pools: pg.Pool[] = [];
  readonly #nodeWatches: ConnectionWatch[] = [];
  readonly #nodes = new Map<string, Node>();
  /** The node in the database URL; in a cluster the coordinator. */
  readonly #firstNode: Node;
  /** Of databases that run on the node of a workspace. */
  readonly #nodeSharding: Sharding | undefined;
  readonly #shardMap: ShardMap | undefined;
  #report: ((error: Error) => void) | undefined;

  constructor(databaseUrl: string, limits: ConnectionLimits, watch?: ConnectionWatch) {
    this.#databaseUrl = databaseUrl;
    this.#limits = limits;
    this.#watch = watch;
    const open = (options: pg.PoolConfig) => this.#open(databaseUrl, options, watch);
    this.workers = open({ max: limits.account });
    if (limits.isSharded) {
      const directory = createDatabase(open({ max: DIRECTORY_CONNECTIONS, lock_timeout: LOCK_TIMEOUT_MS }));
      this.#nodeSharding = { directory };
      this.#shardMap = new ShardMap(directory);
    }
    const sharding: Sharding | undefined = this.#shardMap && {
      near: async (workspaceId) => (await this.nodeOf(workspaceId)).account,
    };
    this.background = createDatabase(this.workers, sharding);
    this.account = sharding ? createDatabase(open({ max: limits.account }), sharding) : this.background;
    this.health = this.#open(databaseUrl, { max: 1, connectionTimeoutMillis: 900, query_timeout: 900 });
    this.#firstNode = this.#openNode(databaseUrl, this.account, watch);
    const place = (workspaceId: WorkspaceId) => this.nodeOf(workspaceId);
    this.reads = new FairDatabase(place, "read", {
      maxRunning: limits.read,
      maxRunningPerCaller: limits.readPerWorkspace,
      maxRunningPerCallerWhileShared: 1,
      maxWaitingPerCaller: 100,
      maxWaitMs: 15_000,
      maxBusyMsPerMinute: limits.readSecondsPerMinute * 1_000,
      recentCallers: this.recentCallers,
    });
    this.writes = new FairDatabase(place, "write", {
      maxRunning: limits.write,
      maxRunningPerCaller: limits.writePerWorkspace,
      maxRunningPerCallerWhileShared: 1,
      maxWaitingPerCaller: 200,
      maxWaitMs: 25_000,
      recentCallers: this.recentCallers,
    });
  }

  /** The node that has a workspace's rows. */
  nodeOf(workspaceId: WorkspaceId): Node | Promise<Node> {
    return this.#shardMap ? this.#findNode(this.#shardMap, workspaceId) : this.#firstNode;
  }

  async #findNode(shardMap: ShardMap, workspaceId: WorkspaceId): Promise<Node> {
    const address = await shardMap.nodeOf(workspaceId);
    if (address === undefined) return this.#firstNode;
    const known = this.#nodes.get(address);
    if (known) return known;
    const url = new URL(this.#databaseUrl);
    url.host = address;
    const watch = this.#watch && new ConnectionWatch({ databaseUrl: url.href });
    if (watch) this.#nodeWatches.push(watch);
    const account = this.#open(url.href, { max: NODE_ACCOUNT_CONNECTIONS }, watch);
    const node = this.#openNode(url.href, createDatabase(account, this.#nodeSharding), watch);
    this.#nodes.set(address, node);
    return node;
  }

  #openNode(url: string, account: Database, watch: ConnectionWatch | undefined): Node {
    const open = (options: pg.PoolConfig) => this.#open(url, options, watch);
    return {
      account,
      read: open({ max: this.#limits.read }),
      write: open({ max: this.#limits.write, lock_timeout: LOCK_TIMEOUT_MS }),
      group: open({ max: GROUP_CONNECTIONS, lock_timeout: SHARED_LOCK_TIMEOUT_MS }),
      sharding: this.#nodeSharding,
    };
  }

  #open(url: string, options: pg.PoolConfig, watch?: ConnectionWatch): pg.Pool {
    const pool = createPool(url, options, watch);
    pool.on("error", (error) => {
      this.#shardMap?.refresh();
      this.#report?.(error);
    });
    this.#pools.push(pool);
    return pool;
  }

  get openCount() {
    return this.#pools.reduce((sum, pool) => sum + pool.totalCount, 0);
  }

  /** Queries that wait for a connection. Workspaces' reads and writes wait for a slot before that. */
  get waitingCount() {
    return this.#pools.reduce((sum, pool) => sum + pool.waitingCount, 0);
  }

  onError(report: (error: Error) => void) {
    this.#report = report;
  }

  async end(): Promise<void> {
    for (const watch of this.#nodeWatches) watch.stop();
    await Promise.allSettled(this.#pools.map((pool) => pool.end()));
  }
}
