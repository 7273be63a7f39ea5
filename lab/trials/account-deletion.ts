// Deletes an account with many traces while eight other users send and read traces. Passes if every trace of the account is deleted,
// and the p99 of what the other users send grows by at most a factor of 1.3.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { PASSWORD } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { insertTraces } from "./support/insert-traces.ts";
import { type Measured, QuietTenants } from "./support/quiet-tenants.ts";

const TENANTS = 8;
const WARM_UP_SECONDS = 10;
const QUIET_SECONDS = 60;
const MAX_RATIO = 1.3;
const TABLES = [
  "traces",
  "spans",
  "decision_points",
  "events",
  "trace_payloads",
  "trace_owners",
  "agent_sessions",
];

const { values } = parseArgs({
  options: { traces: { type: "string", default: "1000000" }, json: { type: "boolean", default: false } },
});
const traceCount = Number(values.traces);

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { user } = await newTenant(server.url, database.url);
  const loadedAt = performance.now();
  // They count as packed, so that only the deletion works on them.
  await insertTraces(database.url, user.workspaceId, { traceCount });
  const loadMs = performance.now() - loadedAt;

  const others: Tenant[] = [];
  for (let i = 0; i < TENANTS; i += 1) others.push(await newTenant(server.url, database.url, LARGE_PLAN));
  const tenants = new QuietTenants(server.url, others);
  await tenants.run(WARM_UP_SECONDS);
  const quiet = await tenants.run(QUIET_SECONDS);
  let responseMs = 0;
  let deletionMs = 0;
  let status = 0;
  const during = await tenants.runDuring(async () => {
    const startedAt = performance.now();
    ({ status } = await user.delete("/api/account", { password: PASSWORD }));
    responseMs = performance.now() - startedAt;
    while (await isBeingDeleted(database.url)) await sleep(500);
    deletionMs = performance.now() - startedAt;
  });

  const left = await countRows(database.url, user.workspaceId);
  const ratio = during.ingestP99Ms / quiet.ingestP99Ms;
  const refused = quiet.refused + during.refused;
  const hasPassed = status === 200 && left === 0 && ratio <= MAX_RATIO && refused === 0;
  if (values.json)
    console.log(
      JSON.stringify({
        ...{ traces: traceCount, loadMs, responseMs, deletionMs, rowsLeft: left, hasPassed },
        ...{ quiet, during, ratio },
      }),
    );
  else {
    console.log(`${traceCount} traces inserted in ${seconds(loadMs)}`);
    console.log(
      `deletion: response ${status} after ${seconds(responseMs)}, complete after ${seconds(deletionMs)}, ${left} rows left`,
    );
    console.log(`quiet:  ${describe(quiet)}`);
    console.log(`during: ${describe(during)}`);
    console.log(`p99 ratio ${ratio.toFixed(2)} (maximum ${MAX_RATIO})`);
  }
  return hasPassed;
});

async function isBeingDeleted(url: string): Promise<boolean> {
  return (await select(url, "select workspace_id from workspace_deletions")).length > 0;
}

async function countRows(url: string, workspaceId: string): Promise<number> {
  const counts = TABLES.map((table) => `select count(*) from ${table} where workspace_id = '${workspaceId}'`);
  const [row] = await select<{ sum: string }>(
    url,
    `select sum(count) from (${counts.join(" union all ")}) as counts`,
  );
  return Number(row?.sum);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function describe({ ingestP50Ms, ingestP99Ms, responses }: Measured): string {
  return `ingest p50 ${ingestP50Ms.toFixed(1)} / p99 ${ingestP99Ms.toFixed(1)} ms; responses ${responses}`;
}
