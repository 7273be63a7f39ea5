import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";

/** A connection pool or a transaction on it: every verb takes one as its first argument. */
export type Database = Kysely<unknown>;

const { builtins } = pg.types;
const parseTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ);

/** Values leave the database in the form in which they go over the wire. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === builtins.TIMESTAMPTZ) return (text: string) => new Date(parseTimestamp(text)).toISOString();
    // count() and the like: far below 2^53 here.
    if (oid === builtins.INT8) return Number;
    // JSON stays the text it was sent as: parsing it here would change numbers and cost time.
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
    // A network that swallows packets must not hold a request for ever.
    query_timeout: 35_000,
    keepAlive: true,
    // Statements that do not wait for each other share a round trip.
    pipeline: true,
    // Compiling a plan costs more than any query of ours runs; a chart's sort of 100,000 traces stays in memory.
    options: "-c jit=off -c work_mem=16MB",
    types,
    ...options,
  });
  // A connection that dies, idle or between two statements of a transaction, fails the next query on it and is
  // then replaced; unheard, its error event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * A statement that begins with this is prepared on each connection once and not planned anew: for the few that every
 * request runs and whose plan does not depend on their values. Its text must not vary.
 */
const PREPARED = "/* prepared */";
const preparedNames = new Map<string, string>();

function nameOf(text: string): string {
  let name = preparedNames.get(text);
  if (name === undefined) {
    name = `whytrace_${preparedNames.size}`;
    preparedNames.set(text, name);
  }
  return name;
}

/** The client as Kysely sees it. */
function lend(client: pg.PoolClient, release: (destroy?: boolean) => void): PostgresPoolClient {
  const query = (text: string, values: unknown[]) =>
    text.startsWith(PREPARED)
      ? client.query({ name: nameOf(text), text, values })
      : client.query(text, values);
  return Object.create(client, { query: { value: query }, release: { value: release } });
}

/** snake_case rows become camelCase here and nowhere else; keys inside JSON values are data and stay. */
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
      return lend(client, (destroy) => client.release(destroy));
    },
    end: () => pool.end(),
    options: {},
  });
}

const databases = new WeakMap<pg.PoolClient, Database>();

/** One client as a Database: the verbs run on it inside a transaction that the caller began. */
export function databaseOn(client: pg.PoolClient): Database {
  let database = databases.get(client);
  if (!database) {
    const lent = lend(client, () => {});
    database = databaseFrom({ connect: async () => lent, end: async () => {}, options: {} });
    databases.set(client, database);
  }
  return database;
}
