import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import type { Database } from "./database.ts";

/**
 * Marks the databases of a Citus cluster, which distributes `DISTRIBUTED_TABLES` by user. Kysely passes plugins on to
 * transactions, so an operation can ask for the mark wherever it runs. The plugin changes no query.
 *
 * Two rules follow, and this file has the functions with which operations keep them:
 *   - A statement that locks or changes distributed rows is about one user: `forEachTenant`.
 *   - Tables of the coordinator are read and written on the coordinator: `directoryOf`.
 */
export class Sharding implements KyselyPlugin {
  /** Connections to the coordinator for short statements. Undefined for databases that are on the coordinator themselves. */
  readonly directory: Database | undefined;
  /** Finds the node that has a user's rows. Undefined for databases that are on a node already. */
  readonly near: ((userId: string) => Promise<Database>) | undefined;

  constructor(directory?: Database, near?: (userId: string) => Promise<Database>) {
    this.directory = directory;
    this.near = near;
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

const shardingOf = (db: Database): Sharding | undefined =>
  db.getExecutor().plugins.find((plugin) => plugin instanceof Sharding);

export const isSharded = (db: Database): boolean => shardingOf(db) !== undefined;

/**
 * Where to read and write tables that are not distributed. On one PostgreSQL, this is the transaction itself. In a cluster,
 * a transaction runs on the node of its user, and what it writes here is committed at once.
 */
export const directoryOf = (trx: Database): Database => shardingOf(trx)?.directory ?? trx;

/** Where to read rows of a user: on the user's node, so that users of others need not wait for one that does not respond. */
export const nearUser = async (db: Database, userId: string): Promise<Database> =>
  (await shardingOf(db)?.near?.(userId)) ?? db;

/** Runs a statement once for all tenants, or in a cluster once for each. The statements share a round trip. */
export async function forEachTenant<Tenant, Row>(
  trx: Database,
  tenants: Tenant[],
  statement: (tenants: Tenant[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (tenants.length === 0) return [];
  if (!isSharded(trx)) return statement(tenants);
  return (await Promise.all(tenants.map((tenant) => statement([tenant])))).flat();
}
