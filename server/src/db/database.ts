import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";

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

export function createPool(databaseUrl: string, options: pg.PoolConfig = {}) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: "whytrace",
    max: 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 15_000,
    // Ends a query when the network drops packets silently.
    query_timeout: 35_000,
    keepAlive: true,
    // Statements issued without waiting for each other share a round trip.
    pipeline: true,
    // JIT compilation takes longer than our queries run. 16 MB sorts 100,000 traces in memory, for charts.
    options: "-c jit=off -c work_mem=16MB",
    types,
    ...options,
  });
  // An unhandled error event would end the process. A lost connection fails its next query, and the pool replaces it.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
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
function toKyselyClient(client: pg.PoolClient, release: (destroy?: boolean) => void): PostgresPoolClient {
  const query = (text: string, values: unknown[]) =>
    text.startsWith(PREPARED)
      ? client.query({ name: preparedName(text), text, values })
      : client.query(text, values);
  return Object.create(client, { query: { value: query }, release: { value: release } });
}

/** The only place that converts snake_case columns to camelCase; keys inside JSON values stay unchanged. */
function databaseFrom(pool: PostgresPool): Database {
  return new Kysely({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

export function createDatabase(pool: pg.Pool): Database {
  return databaseFrom({
    connect: async () => {
      const client = await pool.connect();
      return toKyselyClient(client, (destroy) => client.release(destroy));
    },
    end: () => pool.end(),
    options: {},
  });
}

const databases = new WeakMap<pg.PoolClient, Database>();

/** Wraps one client as a Database, so that queries run in the transaction that the caller began on it. */
export function databaseOn(client: pg.PoolClient): Database {
  let database = databases.get(client);
  if (!database) {
    const kyselyClient = toKyselyClient(client, () => {});
    database = databaseFrom({ connect: async () => kyselyClient, end: async () => {}, options: {} });
    databases.set(client, database);
  }
  return database;
}
