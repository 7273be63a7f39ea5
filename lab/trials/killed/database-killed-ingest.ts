// Repeatedly kills all PostgreSQL processes with SIGKILL and restarts them, while writers retry and readers read. Passes
// if no acknowledged trace is lost, no reader sees a partial trace, every new id is counted once, the stored totals are
// right, every response during the outage is 503, and the first 200 comes within 2 s of the restart. With --plant,
// PostgreSQL acknowledges commits before they are on disk, and the trial must fail.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { KillablePostgres } from "@whytrace/testing/postgres/killable-postgres.ts";
import { killServer, LARGE_PLAN, newTenant, runTrial, startTrialServer } from "@whytrace/testing/trial.ts";
import { IngestLoad } from "../support/load/ingest-load.ts";

const ARGUMENTS = process.argv.slice(2);
const HAS_PLANTED_FAULT = ARGUMENTS.includes("--plant");
const CYCLES = Number(ARGUMENTS.find((argument) => argument !== "--plant") ?? 100);
const MAX_RECOVERY_MS = 2_000;

await runTrial(async (onCleanup) => {
  const postgres = await KillablePostgres.start(HAS_PLANTED_FAULT ? ["synchronous_commit=off"] : []);
  onCleanup(() => postgres.stop());
  const server = await startTrialServer(postgres.url);
  onCleanup(() => killServer(server));
  const tenant = await newTenant(server.url, postgres.url, LARGE_PLAN);
  // With --plant even the account could be lost: wait until it is on disk.
  await sleep(1_000);
  const load = new IngestLoad(server.url, tenant);
  const recoveriesMs: number[] = [];

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await sleep(randomInt(100, 1_000));
    await postgres.kill();
    await sleep(randomInt(50, 500));
    await postgres.restart();
    const restartedAt = performance.now();
    await load.waitForAcknowledgement();
    recoveriesMs.push(performance.now() - restartedAt);
  }
  await load.stop();
  await load.checkStored(postgres.url);
  const slowestMs = Math.max(...recoveriesMs);
  const isAlive = server.child.exitCode === null && server.child.signalCode === null;
  console.log(
    `${CYCLES} cycles${HAS_PLANTED_FAULT ? ", synchronous_commit off" : ""}: ${load}; slowest recovery ${slowestMs.toFixed(0)} ms`,
  );
  return (
    isAlive &&
    slowestMs <= MAX_RECOVERY_MS &&
    load.violations.isOnly() &&
    load.writes.isOnly(200, 503) &&
    load.reads.isOnly(200, 404, 503)
  );
});
