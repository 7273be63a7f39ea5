// Distributes a database with many traces over two workers while tenants send traces by both doors. Passes if nothing that
// was acknowledged is lost, and usage and totals are exact.
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
import { insertTraces } from "../support/insert-traces.ts";
import { ClusterLoad } from "../support/load/cluster-load.ts";

const { values } = parseArgs({
  options: {
    traces: { type: "string", default: "200000" },
    tenants: { type: "string", default: "6" },
    seconds: { type: "string", default: "10" },
  },
});
const TRACES = Number(values.traces);
const BESIDE_MS = 1_000 * Number(values.seconds);

await runTrial(async (onCleanup) => {
  const database = await createCitusDatabase(2);
  if (!database) return true;
  onCleanup(database.drop);
  const server = await startTrialServer(database.url, { SHARDING: "citus" });
  onCleanup(() => killServer(server));
  const owner = await newTenant(server.url, database.url, LARGE_PLAN);
  await insertTraces(database.url, owner.user.workspaceId, { traceCount: TRACES });
  const tenants = [];
  for (let index = 0; index < Number(values.tenants); index += 1)
    tenants.push(await newTenant(server.url, database.url, LARGE_PLAN));

  const load = new ClusterLoad(server.url, tenants);
  await sleep(BESIDE_MS);
  console.log(`before: ${load}`);
  const operator = new ClusterOperator(database.url);
  onCleanup(() => operator.close());
  const startedAt = performance.now();
  let canceled = 0;
  for await (const step of operator.distribute({ shardCount: 32, isOnline: true })) {
    canceled += step.canceled ?? 0;
    if (step.state === "done")
      console.log(`${step.table}: ${Math.round(step.bytes / 1e6)} MB in ${seconds(step.durationMs ?? 0)}`);
  }
  const distributedMs = performance.now() - startedAt;
  await sleep(BESIDE_MS);
  await load.stop();
  await load.check(database.url);
  const [kept] = await select<{ traces: number; spans: number }>(
    database.url,
    `select (select count(*)::int from traces where workspace_id = '${owner.user.workspaceId}') as traces,
       (select count(*)::int from spans where workspace_id = '${owner.user.workspaceId}') as spans`,
  );
  console.log(
    `${TRACES} traces distributed in ${seconds(distributedMs)}, ${canceled} statements canceled; ` +
      `kept ${kept?.traces} traces and ${kept?.spans} spans; ${load}`,
  );
  return load.violations.isOnly() && kept?.traces === TRACES && kept.spans === 2 * TRACES;
});

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
