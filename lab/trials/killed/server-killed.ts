// Repeatedly kills the server with SIGKILL in the middle of batches and restarts it, while writers retry and readers
// read. Passes if no acknowledged trace is lost, no reader sees a partial trace, every new id is counted once, and the
// stored totals are right.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@whytrace/testing/free-port.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { IngestLoad } from "../support/load/ingest-load.ts";

const CYCLES = Number(process.argv[2] ?? 100);

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const env = { PORT: String(await freePort()), LOG_LEVEL: "info" };
  let server = await startTrialServer(database.url, env);
  onCleanup(() => killServer(server));
  const load = new IngestLoad(server.url, await newTenant(server.url, database.url, LARGE_PLAN));

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await load.waitForAcknowledgement();
    await sleep(randomInt(20, 800));
    await killServer(server);
    server = await startTrialServer(database.url, env);
  }
  await load.stop();
  await load.checkStored(database.url);
  console.log(`${CYCLES} cycles: ${load}`);
  return (
    load.violations.isOnly() &&
    load.writes.isOnly(200, "connection lost", "refused") &&
    load.reads.isOnly(200, 404, "connection lost", "refused")
  );
});
