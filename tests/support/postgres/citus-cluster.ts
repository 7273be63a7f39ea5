import { ClusterOperator } from "../../../packages/server/src/cluster-operator.ts";
import { migrate } from "../../../packages/server/src/db/migrate.ts";
import { databaseUrl, execute } from "./databases.ts";

/** Few shards, on each worker at least two: every database of a test run has all of them. */
const SHARD_COUNT = 4;

/** Whether tests run on a Citus cluster. */
export const isDistributed = process.env.TEST_SHARDING === "citus";

/**
 * The nodes of the Citus cluster on which tests create their databases: the coordinator in TEST_DATABASE_URL and the workers
 * in CITUS_WORKERS, such as 127.0.0.1:47501,127.0.0.1:47502. Without TEST_SHARDING=citus, only the server itself.
 */
function testNodes(adminUrl: string): string[] {
  if (!isDistributed) return [adminUrl];
  const workers = (process.env.CITUS_WORKERS ?? "").split(",").filter((worker) => worker !== "");
  if (workers.length === 0) throw new Error("TEST_SHARDING=citus needs the workers in CITUS_WORKERS");
  return [adminUrl, ...workers.map((worker) => withHost(adminUrl, worker))];
}

function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.host = host;
  return changed.href;
}

/** Creates a database on each node; they become one cluster. */
export async function createClusterDatabase(adminUrl: string, name: string): Promise<void> {
  const nodes = testNodes(adminUrl);
  for (const node of nodes) {
    await execute(node, `create database ${name}`);
    if (isDistributed) await execute(databaseUrl(node, name), "create extension citus");
  }
  const [coordinator, ...workers] = nodes.map((node) => new URL(node));
  if (!coordinator || workers.length === 0) return;
  const at = ({ hostname, port }: URL) => `'${hostname}', ${port || 5432}`;
  await execute(databaseUrl(adminUrl, name), `select citus_set_coordinator_host(${at(coordinator)})`);
  for (const worker of workers)
    await execute(databaseUrl(adminUrl, name), `select citus_add_node(${at(worker)})`);
}

/** Migrates a database, and distributes its tables if tests run on a cluster. */
export async function migrateTestDatabase(url: string): Promise<void> {
  await (isDistributed ? migrateCluster(url, SHARD_COUNT) : migrate(url));
}

/** Migrates a database of a cluster, and distributes its tables. */
export async function migrateCluster(url: string, shardCount: number): Promise<void> {
  await migrate(url);
  const operator = new ClusterOperator(url);
  for await (const _ of operator.distribute({ shardCount, isOnline: false }));
  await operator.close();
}

/**
 * Copies a database on each node: the metadata of Citus name nodes, not databases, so the copies are a cluster, too. The
 * processes of Citus leave a database to which nobody may connect.
 */
export async function copyDatabase(adminUrl: string, template: string, name: string): Promise<void> {
  for (const node of testNodes(adminUrl)) await execute(node, `create database ${name} template ${template}`);
}

/** Ends the connections to a template and forbids new ones, without which it could not be copied. */
export async function closeTemplate(adminUrl: string, template: string): Promise<void> {
  for (const node of testNodes(adminUrl)) {
    await execute(node, `alter database ${template} allow_connections false`);
    await execute(
      node,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`,
    );
  }
}

/** Drops a database on each node. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  for (const node of testNodes(adminUrl)) await execute(node, `drop database if exists ${name} with (force)`);
}
