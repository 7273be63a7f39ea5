// Packs the stored payloads of an older version while eight users send and read traces. Passes if the p99 of their requests
// grows by at most a factor of 1.5.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "@whytrace/testing/free-port.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { insertTraces } from "./insert-traces.ts";
import { QuietTenants } from "./quiet-tenants.ts";
import { StoredStates } from "./stored-states.ts";

const TENANTS = 8;
const WARM_UP_SECONDS = 8;
const MAX_RATIO = 1.5;

const { values: flags } = parseArgs({
  options: { traces: { type: "string", default: "100000" }, seconds: { type: "string", default: "40" } },
});
const seconds = Number(flags.seconds);

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const env = { PORT: String(await freePort()) };
  let server = await startTrialServer(database.url, env);
  onCleanup(() => killServer(server));
  const { user } = await newTenant(server.url, database.url);
  const tenants: Tenant[] = [];
  for (let n = 0; n < TENANTS; n += 1) tenants.push(await newTenant(server.url, database.url, LARGE_PLAN));
  const states = new StoredStates(database.url);

  const measure = async () => {
    const quietTenants = new QuietTenants(server.url, tenants);
    await quietTenants.run(WARM_UP_SECONDS);
    const leftBefore = await states.countLeft(true);
    const measured = await quietTenants.run(seconds);
    return { ...measured, packed: leftBefore - (await states.countLeft(true)) };
  };
  // While another process seems to hold the lease, nothing is packed.
  await states.setLease("infinity");
  await insertTraces(database.url, user.id, { traceCount: Number(flags.traces), isPacked: false });
  const quiet = await measure();
  await states.setLease("-infinity");
  await killServer(server);
  server = await startTrialServer(database.url, env);
  await sleep(1_000);
  const during = await measure();

  const ratios = [during.ingestP99Ms / quiet.ingestP99Ms, during.readP99Ms / quiet.readP99Ms];
  console.log(`quiet:   ${describe(quiet)}`);
  console.log(`packing: ${describe(during)}; ${during.packed} traces packed in ${seconds} s`);
  console.log(`ratios of p99: ingest ${ratios[0]?.toFixed(2)}, reads ${ratios[1]?.toFixed(2)}`);
  return (
    during.packed > 0 &&
    quiet.packed === 0 &&
    quiet.refused + during.refused === 0 &&
    ratios.every((ratio) => ratio <= MAX_RATIO)
  );
});

function describe(measured: { ingestP99Ms: number; readP99Ms: number; responses: string }): string {
  const { ingestP99Ms, readP99Ms, responses } = measured;
  return `p99 of ingest ${ingestP99Ms.toFixed(1)} ms, of reads ${readP99Ms.toFixed(1)} ms; ${responses}`;
}
