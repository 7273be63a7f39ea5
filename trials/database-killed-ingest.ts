// Kills PostgreSQL with -9, postmaster and all, under writers that retry and readers that look, and starts it again,
// many times over. The figure: nothing acknowledged is lost, nothing partial is ever seen, every new id is counted
// once, the kept totals are what counting finds; 503 while it is down and nothing else; first 200 within 2 s of its
// return. With --plant PostgreSQL acknowledges before it has written, and the trial must turn red.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { KillablePostgres } from "@whytrace/testing/killable-postgres.ts";
import { killServer, LARGE_PLAN, newTenant, runTrial, startTrialServer } from "@whytrace/testing/trial.ts";
import { IngestLoad } from "./ingest-load.ts";

const ARGUMENTS = process.argv.slice(2);
const IS_PLANTED = ARGUMENTS.includes("--plant");
const CYCLES = Number(ARGUMENTS.find((argument) => argument !== "--plant") ?? 100);
const SLOWEST_RETURN_MS = 2_000;

await runTrial(async (atEnd) => {
  const postgres = await KillablePostgres.start(IS_PLANTED ? ["synchronous_commit=off"] : []);
  atEnd(() => postgres.stop());
  const server = await startTrialServer(postgres.url);
  atEnd(() => killServer(server));
  const tenant = await newTenant(server.url, postgres.url, LARGE_PLAN);
  // Planted, even the account could be lost: it is none of what is looked at here.
  await sleep(1_000);
  const load = new IngestLoad(server.url, tenant);
  const returnsMs: number[] = [];

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    await sleep(randomInt(100, 1_000));
    await postgres.kill();
    await sleep(randomInt(50, 500));
    await postgres.restart();
    const back = performance.now();
    await load.untilNextAcknowledgement();
    returnsMs.push(performance.now() - back);
  }
  await load.stop();
  await load.checkStored(postgres.url);
  const slowestMs = Math.max(...returnsMs);
  const isAlive = server.child.exitCode === null && server.child.signalCode === null;
  console.log(
    `${CYCLES} cycles${IS_PLANTED ? ", synchronous_commit off" : ""}: ${load}; slowest return ${slowestMs.toFixed(0)} ms`,
  );
  return (
    isAlive &&
    slowestMs <= SLOWEST_RETURN_MS &&
    load.faults.isOnly() &&
    load.writes.isOnly(200, 503) &&
    load.reads.isOnly(200, 404, 503)
  );
});
