// Runs two Whytrace servers on a PostgreSQL of three machines under Patroni, with a synchronous standby and HAProxy in front,
// from the files in deploy/high-availability/. While traces come by JSON and by OTLP, it switches over, kills PostgreSQL on
// the primary, and kills everything on the primary's machine. Passes if every time another machine becomes the primary, no
// acknowledged trace is lost or wrong, every response is 200 or 503, live updates are connected again, and no server restarts.
import { randomInt } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "@whytrace/testing/percentile.ts";
import { databaseUrl, execute } from "@whytrace/testing/postgres/databases.ts";
import {
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { DebianPackages } from "../support/debian-packages.ts";
import { IngestLoad } from "../support/load/ingest-load.ts";
import { OtlpLoad } from "../support/load/otlp-load.ts";
import { PatroniCluster } from "../support/patroni-cluster.ts";
import { PauseWatch } from "../support/pause-watch.ts";

const ROUNDS = Number(process.argv[2] ?? 5);
const PACKAGES = ["patroni", "python3-etcd", "etcd-server", "haproxy", "postgresql"];
const LISTENING_WITHIN_MS = 30_000;

await runTrial(async (onCleanup) => {
  const folder = await mkdtemp(join(tmpdir(), "whytrace-failover-"));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL runs as another user if the trial runs as root.
  await chmod(folder, 0o755);
  const packages = await DebianPackages.unpack(folder, PACKAGES);
  if (typeof packages === "string") {
    console.log(`Skipped: ${packages}`);
    return true;
  }
  const cluster = await PatroniCluster.create(folder, packages);
  onCleanup(() => cluster.stop());
  await cluster.start();
  const url = await createOwnDatabase(cluster.url);
  const servers = [await startTrialServer(url)];
  servers.push(await startTrialServer(url));
  const [first, second] = servers;
  if (!first || !second) throw new Error("no servers");
  for (const server of servers) onCleanup(() => killServer(server));

  const [reference, sender, writer] = [
    await newTenant(second.url, url, LARGE_PLAN),
    await newTenant(second.url, url, LARGE_PLAN),
    await newTenant(first.url, url, LARGE_PLAN),
  ];
  const json = new IngestLoad(first.url, writer);
  const otlp = new OtlpLoad(second.url, [sender]);

  /** Runs `fault` under load; returns the longest time without a 200, of the slower way in. */
  const measure = async (name: string, fault: () => Promise<(() => void) | undefined>): Promise<number> => {
    await Promise.all([json.waitForAcknowledgement(), otlp.waitForAcknowledgement()]);
    await sleep(randomInt(200, 1_500));
    const before = await cluster.leader();
    const pauses = [
      new PauseWatch(() => json.acknowledgedBatches),
      new PauseWatch(() => otlp.acknowledgedPieces),
    ];
    const undo = await fault();
    await Promise.all([json.waitForAcknowledgement(), otlp.waitForAcknowledgement()]);
    while ((await cluster.leader()) === before) await sleep(100);
    await Promise.all([json.waitForAcknowledgement(), otlp.waitForAcknowledgement()]);
    undo?.();
    await cluster.waitUntilHealthy();
    const longestMs = Math.max(...pauses.map((pause) => pause.stop()));
    await waitUntilListening(url, servers.length);
    console.log(
      `${name}: ${before} to ${await cluster.leader()}, ${(longestMs / 1_000).toFixed(1)} s without a 200`,
    );
    return longestMs;
  };

  const faults: [string, () => Promise<(() => void) | undefined>][] = [
    ["switchover", async () => void (await cluster.switchOver())],
    ["kill -9 of PostgreSQL", async () => void (await cluster.killPrimary())],
    ["kill -9 of the machine", () => cluster.killMachine()],
  ];
  const summary: string[] = [];
  for (const [name, fault] of faults) {
    const pausesMs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) pausesMs.push(await measure(name, fault));
    summary.push(
      `${ROUNDS} × ${name}: median ${(median(pausesMs) / 1_000).toFixed(1)} s, worst ${(Math.max(...pausesMs) / 1_000).toFixed(1)} s`,
    );
  }
  await Promise.all([json.stop(), otlp.stop()]);
  await json.checkStored(url);
  await otlp.checkStored(url, reference);
  const areAlive = servers.every(({ child }) => child.exitCode === null && child.signalCode === null);
  console.log(`${summary.join("; ")}; load ${loadavg()[0]?.toFixed(1)}`);
  console.log(`JSON: ${json}`);
  console.log(`OTLP: ${otlp}`);
  return (
    areAlive &&
    json.violations.isOnly() &&
    otlp.violations.isOnly() &&
    json.writes.isOnly(200, 503) &&
    otlp.writes.isOnly(200, 503) &&
    json.reads.isOnly(200, 404, 503)
  );
});

/** A database of a role without special rights, as an installation has it. */
async function createOwnDatabase(adminUrl: string): Promise<string> {
  await execute(adminUrl, "create role whytrace login password 'whytrace'");
  await execute(adminUrl, "create database whytrace owner whytrace");
  const url = new URL(databaseUrl(adminUrl, "whytrace"));
  url.username = "whytrace";
  url.password = "whytrace";
  return url.href;
}

/** Waits until each server is connected to the new primary to receive signals of changes. */
async function waitUntilListening(url: string, servers: number): Promise<void> {
  const deadline = performance.now() + LISTENING_WITHIN_MS;
  for (;;) {
    const [row] = await select<{ count: string }>(
      url,
      "select count(*) from pg_stat_activity where application_name = 'whytrace live'",
    );
    if (Number(row?.count) === servers) return;
    if (performance.now() > deadline) throw new Error(`${row?.count} of ${servers} servers receive signals`);
    await sleep(200);
  }
}
