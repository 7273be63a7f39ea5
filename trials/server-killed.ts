// Kills the server with -9 in the middle of batches and starts it again, many times over, under writers that retry
// and readers that look. The figure: nothing acknowledged is lost, nothing partial is ever seen, every new id is
// counted once, and the kept totals are what counting finds.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@whytrace/testing/postgres.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { IngestLoad } from "./ingest-load.ts";

const CYCLES = Number(process.argv[2] ?? 100);

await runTrial(async (atEnd) => {
  const database = await createTrialDatabase();
  atEnd(() => database.drop());
  const env = { PORT: String(await freePort()), LOG_LEVEL: "info" };
  let server = await startTrialServer(database.url, env);
  atEnd(() => killServer(server));
  const load = new IngestLoad(server.url, await newTenant(server.url, database.url, LARGE_PLAN));

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await load.untilNextAcknowledgement();
    await sleep(randomInt(20, 800));
    await killServer(server);
    server = await startTrialServer(database.url, env);
  }
  await load.stop();
  await load.checkStored(database.url);
  console.log(`${CYCLES} cycles: ${load}`);
  return (
    load.faults.isOnly() &&
    load.writes.isOnly(200, "cut off", "refused") &&
    load.reads.isOnly(200, 404, "cut off", "refused")
  );
});
