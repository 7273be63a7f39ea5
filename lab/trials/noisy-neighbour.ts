// One tenant does its worst, in nine ways and then in all of them at once, beside eight tenants who behave. Passes if those
// hardly notice: nothing of theirs is refused, and their requests stay fast compared with a quiet time of the same run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DEFAULT_LIMITS } from "@whytrace/testing/server/unlimited.ts";
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
import { storeLargeTraces } from "./large-traces.ts";
import type { NoisyOptions } from "./support/noisy-tenant.ts";
import { peakRssMib, resetPeakRss } from "./support/process-memory.ts";
import { type Measured, QuietTenants } from "./support/quiet-tenants.ts";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    traces: { type: "string", default: "200000" },
    /** Some of the attacks, separated by commas. */
    only: { type: "string" },
    /** Settings of the server, for example `--set READ_CONNECTIONS_PER_WORKSPACE=4` to take a guard out. */
    set: { type: "string", multiple: true, default: [] },
    json: { type: "boolean", default: false },
  },
});
const settings = Object.fromEntries(flags.set.map((setting) => setting.split(/=(.*)/s, 2)));
const SECONDS = Number(flags.seconds);
const QUIET_TENANTS = 8;
const LARGE_TRACES = 20;
const PAUSE_MS = 3_000;

const ATTACKS = [
  "large lists",
  "lock queue",
  "claimed ids",
  "heavy filters",
  "dripping bodies",
  "hang up",
  "exports",
  "replaced",
  "expensive questions",
];
const ALL = "all at once";
const LIMITS = { ingestP99Ratio: 2, readP99Ratio: 3, refused: 0, signInP99Ms: 1_500, rssMiB: 700 };

interface Result {
  ingestP99Ratio: number;
  readP99Ratio: number;
  refused: number;
  signInP99Ms: number;
  rssMiB: number;
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(database.drop);
  const server = await startTrialServer(database.url, { ...DEFAULT_LIMITS, ...settings });
  onCleanup(() => killServer(server));
  const pid = server.child.pid ?? 0;
  const tenants: Tenant[] = [];
  for (let n = 0; n < QUIET_TENANTS; n += 1)
    tenants.push(await newTenant(server.url, database.url, LARGE_PLAN));
  const noisy = await newTenant(server.url, database.url, LARGE_PLAN);
  const other = await newTenant(server.url, database.url, LARGE_PLAN);
  await fill(database.url, noisy.user.workspaceId, Number(flags.traces));
  await storeLargeTraces(server.url, noisy.key, LARGE_TRACES);
  const quiet = new QuietTenants(server.url, tenants);
  const measure = async (): Promise<Measured & { rssMiB: number }> => {
    resetPeakRss(pid);
    const measured = await quiet.run(SECONDS);
    return { ...measured, rssMiB: Math.round(peakRssMib(pid)) };
  };

  await quiet.run(Math.min(SECONDS, 10));
  const baseline = await measure();
  print("quiet", baseline, undefined);
  let hasPassed = true;
  let last: Result | undefined;
  for (const name of [...ATTACKS, ALL]) {
    if (flags.only && !flags.only.split(",").includes(name)) continue;
    const stop = await startAttack({
      url: server.url,
      attacks: name === ALL ? ATTACKS : [name],
      key: noisy.key,
      cookie: noisy.user.cookie ?? "",
      otherKey: other.key,
    });
    await sleep(PAUSE_MS);
    const measured = await measure();
    await stop();
    last = compare(measured, baseline);
    print(name, measured, last);
    hasPassed &&= isWithinLimits(last);
    await sleep(PAUSE_MS);
  }
  if (flags.json && last) console.log(JSON.stringify(last));
  return hasPassed;
});

function compare(measured: Measured & { rssMiB: number }, baseline: Measured): Result {
  const { refused, rssMiB, signInP99Ms } = measured;
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    ingestP99Ratio: round(measured.ingestP99Ms / baseline.ingestP99Ms),
    readP99Ratio: round(measured.readP99Ms / baseline.readP99Ms),
    refused,
    signInP99Ms: Math.round(signInP99Ms),
    rssMiB,
  };
}

function isWithinLimits(result: Result): boolean {
  return (Object.keys(LIMITS) as (keyof Result)[]).every((key) => result[key] <= LIMITS[key]);
}

function print(name: string, measured: Measured & { rssMiB: number }, result: Result | undefined) {
  const ratio = (value: number | undefined) => (value === undefined ? "" : ` (${value.toFixed(2)} x)`);
  console.log(
    `${name.padEnd(20)} ingest p99 ${measured.ingestP99Ms.toFixed(0)} ms${ratio(result?.ingestP99Ratio)}, ` +
      `reads p99 ${measured.readP99Ms.toFixed(0)} ms${ratio(result?.readP99Ratio)}, ` +
      `sign-in p99 ${measured.signInP99Ms.toFixed(0)} ms, refused ${measured.refused}, RSS ${measured.rssMiB} MiB` +
      `${result && !isWithinLimits(result) ? "  TOO MUCH" : ""}${measured.refused > 0 ? `; ${measured.responses}` : ""}`,
  );
}

/** Starts the attacker with the lowest priority: in reality it has machines of its own. */
async function startAttack(options: NoisyOptions): Promise<() => Promise<void>> {
  const script = new URL("support/noisy-tenant.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--conditions=@whytrace/source", script, JSON.stringify(options)], {
    stdio: "inherit",
  });
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  return async () => {
    if (child.exitCode !== null) throw new Error("the attack ended by itself");
    child.kill("SIGKILL");
    await once(child, "exit");
  };
}

/** Inserts small traces of the last months straight into the table: sending them would take minutes. */
async function fill(databaseUrl: string, workspaceId: string, count: number) {
  await select(
    databaseUrl,
    `insert into traces (workspace_id, id, name, status, tags, started_at, total_duration, total_cost, span_count,
       decision_point_count, event_count, created_at)
     select '${workspaceId}', 'fill-' || n, 'agent ' || md5(n::text), 'COMPLETED', array['tag-' || n % 400, 'tag-' || n % 7],
       timestamptz '2026-04-01' + n * interval '39 seconds', n % 1000, n % 100, 0, 0, 0, now() - interval '1 day'
     from generate_series(1, ${count}) as n`,
  );
  await select(
    databaseUrl,
    `insert into trace_totals as totals (workspace_id, completed, version) values ('${workspaceId}', ${count}, 1)
     on conflict (workspace_id) do update set completed = totals.completed + ${count}, version = totals.version + 1`,
  );
  await select(databaseUrl, "analyze traces");
}
