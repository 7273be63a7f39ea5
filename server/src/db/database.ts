import {
  CamelCasePlugin,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely";
import pg from "pg";
import type { ConnectionWatch } from "./connection-watch.ts";
import { READ_ONLY, sqlState } from "./sql-state.ts";

/** A connection pool or a transaction. Functions that run SQL take it as their first argument. */
export type Database = Kysely<unknown>;

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
    // workers, a query takes one core and leaves the others to other users.
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
function databaseFrom(pool: PostgresPool, sharding: KyselyPlugin | undefined): Database {
  const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true });
  return new Kysely({
    dialect: new PostgresDialect({ pool }),
    plugins: sharding ? [camelCase, sharding] : [camelCase],
  });
}

export function createDatabase(pool: pg.Pool, sharding?: KyselyPlugin): Database {
  const connect = async () => {
    const client = await pool.connect();
    return toKyselyClient(client, (destroy) => client.release(destroy));
  };
  return databaseFrom({ connect, end: () => pool.end(), options: {} }, sharding);
}

/** Wraps one client as a Database, so that queries run in the transaction that the caller began on it. */
export function databaseOn(client: pg.PoolClient, sharding?: KyselyPlugin): Database {
  const kyselyClient = toKyselyClient(client, () => {});
  return databaseFrom({ connect: async () => kyselyClient, end: async () => {}, options: {} }, sharding);
}
