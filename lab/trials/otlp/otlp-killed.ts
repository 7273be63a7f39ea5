// Repeatedly kills the server, or with --database all PostgreSQL processes, with SIGKILL while eight tenants send traces by
// OTLP in pieces, and restarts what was killed. Passes if every acknowledged span is stored once, every trace is the same as
// a copy of it that another user sent at once, each trace id is counted once, and the stored totals are right.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "@whytrace/testing/free-port.ts";
import { KillablePostgres } from "@whytrace/testing/postgres/killable-postgres.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { OtlpLoad } from "../support/load/otlp-load.ts";

const { values, positionals } = parseArgs({
  options: { database: { type: "boolean", default: false } },
  allowPositionals: true,
});
const CYCLES = Number(positionals[0] ?? 100);
const TENANTS = 8;

await runTrial(async (onCleanup) => {
  const postgres = values.database ? await KillablePostgres.start() : undefined;
  const database = postgres
    ? { url: postgres.url, drop: () => postgres.stop() }
    : await createTrialDatabase();
  onCleanup(() => database.drop());
  const env = { PORT: String(await freePort()) };
  let server = await startTrialServer(database.url, env);
  onCleanup(() => killServer(server));
  const tenants: Tenant[] = [];
  for (let index = 0; index <= TENANTS; index += 1)
    tenants.push(await newTenant(server.url, database.url, LARGE_PLAN));
  const [reference, ...senders] = tenants;
  if (!reference) throw new Error("no tenants");
  const load = new OtlpLoad(server.url, senders);

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await load.waitForAcknowledgement();
    await sleep(randomInt(20, 800));
    if (postgres) {
      await postgres.kill();
      await sleep(randomInt(50, 500));
      await postgres.restart();
    } else {
      await killServer(server);
      server = await startTrialServer(database.url, env);
    }
  }
  await load.waitForAcknowledgement();
  await load.stop();
  await load.checkStored(database.url, reference);
  const isAlive = server.child.exitCode === null && server.child.signalCode === null;
  console.log(`${CYCLES} kills of ${postgres ? "PostgreSQL" : "the server"}: ${load}`);
  return (
    isAlive &&
    load.violations.isOnly() &&
    load.writes.isOnly(200, ...(postgres ? [503] : ["connection lost", "refused"]))
  );
});
