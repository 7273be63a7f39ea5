// Adds a third worker to a Citus cluster, moves shards to it, and drains and removes the first one, while tenants send
// traces by both doors. Passes if nothing is refused or lost, usage and totals are exact, and no request takes 2 s.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createCitusDatabase } from "@whytrace/testing/postgres/citus-database.ts";
import {
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { ClusterOperator } from "../../../packages/server/src/cluster-operator.ts";
import type { MoveProgress } from "../../../packages/server/src/db/cluster/move-shards.ts";
import { migrate } from "../../../packages/server/src/db/migrate.ts";
import { ClusterLoad } from "../support/load/cluster-load.ts";

const { values } = parseArgs({
  options: {
    tenants: { type: "string", default: "8" },
    shards: { type: "string", default: "32" },
    seconds: { type: "string", default: "10" },
  },
});
const BESIDE_MS = 1_000 * Number(values.seconds);
const MAX_REQUEST_MS = 2_000;

await runTrial(async (onCleanup) => {
  const database = await createCitusDatabase(2);
  const [third] = database?.spareWorkers ?? [];
  if (!database) return true;
  onCleanup(database.drop);
  if (third === undefined) {
    console.log("Skipped: CITUS_WORKERS must name three workers");
    return true;
  }
  await migrate(database.url);
  const operator = new ClusterOperator(database.url);
  onCleanup(() => operator.close());
  for await (const _ of operator.distribute({ shardCount: Number(values.shards), isOnline: false }));
  const server = await startTrialServer(database.url, { SHARDING: "citus" });
  onCleanup(() => killServer(server));
  const tenants = [];
  for (let index = 0; index < Number(values.tenants); index += 1)
    tenants.push(await newTenant(server.url, database.url, LARGE_PLAN));

  const load = new ClusterLoad(server.url, tenants);
  await sleep(BESIDE_MS);
  console.log(`before: ${load}`);
  const refusals = await operator.addNode(addressOf(third));
  console.log(`${third} added: ${refusals.map(({ text }) => text).join("; ") || "no refusals"}`);
  console.log(`rebalanced: ${await finish(operator.rebalance())}`);
  const [first] = (await operator.describe()).nodes.filter(({ role }) => role === "worker");
  if (!first) throw new Error("The cluster has no worker");
  console.log(`${first.name} drained: ${await finish(operator.drain(addressOf(first.name)))}`);
  await operator.removeNode(addressOf(first.name));
  await sleep(BESIDE_MS);
  await load.stop();
  await load.check(database.url);
  const [left] = await select<{ count: number }>(
    database.url,
    "select count(*)::int as count from pg_dist_node where groupid <> 0",
  );
  console.log(`${left?.count} workers at the end; ${load}`);
  return (
    load.violations.isOnly() &&
    load.responses.isOnly(200) &&
    load.slowestMs < MAX_REQUEST_MS &&
    refusals.length === 0 &&
    left?.count === 2
  );
});

async function finish(moves: AsyncIterable<MoveProgress>): Promise<string> {
  const startedAt = performance.now();
  let total = 0;
  for await (const progress of moves) total = progress.total;
  return `${total} shards moved in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}

function addressOf(name: string) {
  const [host = "", port] = name.split(":");
  return { host, port: Number(port) };
}
