// Kills a worker and the coordinator of a Citus cluster, and freezes a worker for 15 s, while tenants of both workers send
// traces by both doors. Passes if nothing that was acknowledged is lost or half stored, usage and totals are exact, and the
// tenants of the other worker see no error while a worker is gone. The nodes must run on this machine.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { migrateCluster } from "@whytrace/testing/postgres/citus-cluster.ts";
import { createCitusDatabase } from "@whytrace/testing/postgres/citus-database.ts";
import { databaseUrl } from "@whytrace/testing/postgres/databases.ts";
import { killPostgres } from "@whytrace/testing/postgres/kill-postgres.ts";
import { postgresProcesses, signalProcesses } from "@whytrace/testing/postgres/postgres-processes.ts";
import {
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { ClusterLoad } from "../support/load/cluster-load.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "20" },
    freezes: { type: "string", default: "3" },
    "tenants-per-worker": { type: "string", default: "2" },
  },
});
const TENANTS_PER_WORKER = Number(values["tenants-per-worker"]);
const SHARDS = 32;
const DOWN_MS = 1_000;
const FROZEN_MS = 15_000;
const BETWEEN_MS = 3_000;
/** Citus commits or rolls back what a dead coordinator left prepared. */
const RECOVERED_WITHIN_MS = 30_000;

/** A PostgreSQL of the cluster: its port, data and programs. */
interface ClusterNode {
  port: string;
  dataDir: string;
  binDir: string;
}

async function describeNode(url: string): Promise<ClusterNode> {
  const [found] = await select<{ data: string; bin: string }>(
    url,
    `select current_setting('data_directory') as data, (select setting from pg_config where name = 'BINDIR') as bin`,
  );
  if (!found) throw new Error("PostgreSQL does not say where its data is");
  return { port: new URL(url).port, dataDir: found.data, binDir: found.bin };
}

/** As the owner of the data: PostgreSQL refuses to run as root. */
async function startNode({ dataDir, binDir }: ClusterNode): Promise<void> {
  const { uid, gid } = statSync(dataDir);
  const args = ["-D", dataDir, "-w", "-l", `${dataDir}.log`, "start"];
  for (let tries = 0; tries < 20; tries += 1) {
    const [code] = await once(spawn(join(binDir, "pg_ctl"), args, { uid, gid, stdio: "ignore" }), "close");
    if (code === 0) return;
    await sleep(500);
  }
  throw new Error(`The PostgreSQL in ${dataDir} did not start`);
}

await runTrial(async (onCleanup) => {
  const database = await createCitusDatabase(2);
  if (!database) return true;
  onCleanup(database.drop);
  await migrateCluster(database.url, SHARDS);
  const server = await startTrialServer(database.url, { SHARDING: "citus" });
  onCleanup(async () => {
    for (const line of server.lines) if (/"level":[56]0/.test(line)) console.log(line);
    await killServer(server);
  });

  const workerOf = async ({ user }: Tenant) => {
    const [found] = await select<{ port: number }>(
      database.url,
      `select nodeport as port from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('traces', '${user.workspaceId}'::uuid)`,
    );
    return String(found?.port);
  };
  const tenants = new Map<string, Tenant[]>();
  while (tenants.size < 2 || [...tenants.values()].some((some) => some.length < TENANTS_PER_WORKER)) {
    const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
    const worker = await workerOf(tenant);
    const some = tenants.get(worker) ?? [];
    if (some.length < TENANTS_PER_WORKER) tenants.set(worker, [...some, tenant]);
  }
  const onWorker = (port: string) => {
    const url = new URL(database.url);
    url.port = port;
    return url.href;
  };
  const coordinator = await describeNode(databaseUrl(database.url, "postgres"));
  const [victim, other] = await Promise.all([...tenants.keys()].map((port) => describeNode(onWorker(port))));
  if (!victim || !other) throw new Error("The cluster has no two workers");
  const affected = new ClusterLoad(server.url, tenants.get(victim.port) ?? []);
  const others = new ClusterLoad(server.url, tenants.get(other.port) ?? []);
  const loads = [affected, others];

  /** Runs a fault under load; says how many requests of each worker's tenants were refused. */
  const measure = async (name: string, times: number, fault: () => Promise<void>) => {
    const before = loads.map(({ refused }) => refused);
    for (let n = 0; n < times; n += 1) {
      await fault();
      await sleep(BETWEEN_MS);
    }
    const [ofAffected = 0, ofOthers = 0] = loads.map(({ refused }, index) => refused - (before[index] ?? 0));
    console.log(
      `${name}, ${times} times: ${ofAffected} requests refused there, ${ofOthers} of the other worker's tenants`,
    );
    return ofOthers;
  };
  const kill = (node: ClusterNode) => async () => {
    await killPostgres(node.dataDir);
    await sleep(DOWN_MS);
    await startNode(node);
  };
  await sleep(BETWEEN_MS);
  const errorsOfOthers =
    (await measure("worker killed", Number(values.kills), kill(victim))) +
    (await measure("worker frozen for 15 s", Number(values.freezes), async () => {
      const processes = postgresProcesses(victim.dataDir);
      signalProcesses(processes, "SIGSTOP");
      await sleep(FROZEN_MS);
      signalProcesses(processes, "SIGCONT");
    }));
  await measure("coordinator killed", Number(values.kills), kill(coordinator));
  await Promise.all(loads.map((load) => load.stop()));
  await waitUntilRecovered([victim, other].map(({ port }) => onWorker(port)));
  for (const load of loads) {
    await load.check(database.url);
    console.log(`${load}`);
  }
  return loads.every(({ violations }) => violations.isOnly()) && errorsOfOthers === 0;
});

async function waitUntilRecovered(workerUrls: string[]): Promise<void> {
  const startedAt = performance.now();
  for (const url of workerUrls)
    for (;;) {
      const prepared = await select(
        url,
        "select gid from pg_prepared_xacts where database = current_database()",
      );
      if (prepared.length === 0) break;
      if (performance.now() - startedAt > RECOVERED_WITHIN_MS)
        throw new Error(`${prepared.length} transactions are still prepared`);
      await sleep(500);
    }
}
