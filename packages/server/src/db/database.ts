import {
  CamelCasePlugin,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type TransactionSettings,
} from "kysely";
import pg from "pg";
import type { ConnectionWatch } from "./connection-watch.ts";
import { READ_ONLY, sqlState } from "./sql-state.ts";
import type { WorkspaceId } from "./workspace-id.ts";

/**
 * How a database of a Citus cluster, which distributes `DISTRIBUTED_TABLES` by workspace, reaches the other nodes. Only `db/`
 * asks whether there is one.
 */
export interface Sharding {
  /** Connections to the coordinator for short statements. Absent for databases that are on the coordinator themselves. */
  directory?: Database | undefined;
  /** Finds the node that has a workspace's rows. Absent for databases that are on a node already. */
  near?: (workspaceId: WorkspaceId) => Promise<Database>;
}

/** A connection pool or a transaction. Functions that run SQL take it as their first argument. */
export class Database {
  readonly #kysely: Kysely<unknown>;
  /** Undefined on one PostgreSQL. */
  readonly sharding: Sharding | undefined;

  constructor(kysely: Kysely<unknown>, sharding: Sharding | undefined) {
    this.#kysely = kysely;
    this.sharding = sharding;
  }

  /**
   * Where to read and write tables that are not in `DISTRIBUTED_TABLES`: users, keys, owners of ids, mails. On one PostgreSQL,
   * this is the database or transaction itself. In a cluster, a transaction runs on the node of its workspace, and what it
   * writes here is committed at once: write what must not stay without the transaction last.
   */
  get directory(): Database {
    return this.sharding?.directory ?? this;
  }

  /**
   * Where to read rows of a workspace. In a cluster, this is the workspace's node, so that nobody waits for the node of
   * another workspace that does not respond.
   */
  async of(workspaceId: WorkspaceId): Promise<Database> {
    return (await this.sharding?.near?.(workspaceId)) ?? this;
  }

  /** Kysely runs statements on what has this method. */
  getExecutor() {
    return this.#kysely.getExecutor();
  }

  /** Runs `work` in one transaction, without retrying it. */
  transaction<T>(
    work: (trx: Database) => Promise<T>,
    { isolationLevel, accessMode }: TransactionSettings = {},
  ): Promise<T> {
    let begin = this.#kysely.transaction();
    if (isolationLevel) begin = begin.setIsolationLevel(isolationLevel);
    if (accessMode) begin = begin.setAccessMode(accessMode);
    return begin.execute((trx) => work(this.#with(trx)));
  }

  withPlugin(plugin: KyselyPlugin): Database {
    return this.#with(this.#kysely.withPlugin(plugin));
  }

  withoutPlugins(): Database {
    return this.#with(this.#kysely.withoutPlugins());
  }

  destroy(): Promise<void> {
    return this.#kysely.destroy();
  }

  #with(kysely: Kysely<unknown>): Database {
    return new Database(kysely, this.sharding);
  }
}

const { builtins } = pg.types;
const parseTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ);

/** Parses database values into the form that the API returns. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === builtins.TIMESTAMPTZ) return (text: string) => new Date(parseTimestamp(text)).toISOString();
    // All our bigint values, such as count(), are far below 2^53.
    if (oid === builtins.INT8) return Number;
    // JSON stays text: parsing would lose precision of numbers and cost time.
    if (oid === builtins.JSON) return String;
    return pg.types.getTypeParser(oid, format);
  },
};

/** States of a connection that is not idle: in a transaction, or in one that has failed. */
const IN_TRANSACTION = new Set(["T", "E"]);

/** With a `watch`, queries fail soon after the network to the database fails. */
export function createPool(databaseUrl: string, options: pg.PoolConfig = {}, watch?: ConnectionWatch) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: "whytrace",
    max: 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 15_000,
    // Ends a query whose result does not arrive, if nobody watches the connection or a pooler hides it from the watch.
    query_timeout: 35_000,
    keepAlive: true,
    // Idle connections that the network has dropped are closed after 15 s: the system then probes every second, 10 times.
    keepAliveInitialDelayMillis: 5_000,
    ...(watch && { stream: watch.newSocket }),
    // Statements issued without waiting for each other share a round trip.
    pipeline: true,
    // JIT compilation takes longer than our queries run. 16 MB sorts 100,000 traces in memory, for charts. Without parallel
    // workers, a query takes one core and leaves the others to other workspaces.
    options: "-c jit=off -c work_mem=16MB -c max_parallel_workers_per_gather=0",
    types,
    ...options,
  });
  // An unhandled error event would end the process. A lost connection fails its next query, and the pool replaces it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  // The next user of the connection would read an old state, or fail.
  pool.on("release", (_error, client) => {
    if (!IN_TRANSACTION.has(client.getTransactionStatus() ?? "")) return;
    void client.end().catch(() => {});
    pool.emit("error", new Error("A database connection was released inside a transaction"), client);
  });
  watch?.add(pool);
  return pool;
}

/**
 * A statement that starts with this comment becomes a prepared statement, planned once per connection. For frequent
 * statements whose plan does not depend on their parameters; their SQL text must be constant.
 */
const PREPARED = "/* prepared */";
const preparedNames = new Map<string, string>();

function preparedName(text: string): string {
  let name = preparedNames.get(text);
  if (name === undefined) {
    name = `whytrace_${preparedNames.size}`;
    preparedNames.set(text, name);
  }
  return name;
}

/** Adapts a client for Kysely: adds prepared statements and replaces `release`. */
function toKyselyClient(client: pg.PoolClient, release: (destroy: boolean) => void): PostgresPoolClient {
  let isReadOnly = false;
  const query = async (text: string, values: unknown[]) => {
    try {
      return await (text.startsWith(PREPARED)
        ? client.query({ name: preparedName(text), text, values })
        : client.query(text, values));
    } catch (error) {
      // A connection keeps the settings it began with: a new one finds out when the database is writable again.
      isReadOnly ||= sqlState(error) === READ_ONLY;
      throw error;
    }
  };
  return Object.create(client, { query: { value: query }, release: { value: () => release(isReadOnly) } });
}

/** The only place that converts snake_case columns to camelCase; keys inside JSON values stay unchanged. */
function databaseFrom(pool: PostgresPool, sharding: Sharding | undefined): Database {
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Database(new Kysely({ dialect: new PostgresDialect({ pool }), plugins }), sharding);
}

export function createDatabase(pool: pg.Pool, sharding?: Sharding): Database {
  const connect = async () => {
    const client = await pool.connect();
    return toKyselyClient(client, (destroy) => client.release(destroy));
  };
  return databaseFrom({ connect, end: () => pool.end(), options: {} }, sharding);
}

/** Wraps one client as a Database, so that queries run in the transaction that the caller began on it. */
export function databaseOn(client: pg.PoolClient, sharding?: Sharding): Database {
  const kyselyClient = toKyselyClient(client, () => {});
  return databaseFrom({ connect: async () => kyselyClient, end: async () => {}, options: {} }, sharding);
}
