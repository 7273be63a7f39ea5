// What rows for bad runs add to the CPU time of ingest: the built server, and the same without them (`without-problems.mjs`), store the same
// runs in alternating rounds, each in its own database, in batches of 50 and one by one, with no bad run and with one in ten. Issues are
// counted by a worker; its cursor stands ahead, so that only ingest is measured, and in a third server it is not, which includes counting and
// announcing: a round of it ends when all is counted. All databases are of one PostgreSQL, whose CPU time is measured as a whole, so a round
// begins only when what other rounds left to workers is done and the processes are calm. The ratio is that of the sums of all rounds, with
// the interval that a bootstrap of rounds gives. Passes if no bad run costs nothing (at most 2 % more), one in ten at most 3 % more in
// batches of 50 and 5 % one by one.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ParsedTrace } from "@whytrace/contract";
import { median } from "@whytrace/testing/percentile.ts";
import { openDurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { runTrial } from "@whytrace/testing/trial.ts";
import { sql } from "kysely";
import type { Database } from "../../../packages/server/src/db/database.ts";
import { expectRows } from "../../bench/expect-rows.ts";
import { generateBatches } from "../../bench/generate/generate-batches.ts";
import { findPostmaster, postgresCpuMs, processCpuMs } from "../../bench/measure/cpu-time.ts";
import { measureVariants, type Variant, type VariantRun } from "../../bench/measure/measure-variants.ts";
import { Meter } from "../../bench/measure/meter.ts";
import { ratioOfSums } from "../../bench/measure/ratio-of-sums.ts";
import { batchRequest, postBatches } from "../../bench/post-batches.ts";
import { createStore } from "../../bench/store.ts";

const { values } = parseArgs({
  options: { traces: { type: "string", default: "2000" }, rounds: { type: "string", default: "9" } },
});
const TRACES = Number(values.traces);
const ROUNDS = Number(values.rounds);
const TENANTS = 8;
const BAD_EVERY = 10;
const MESSAGES = 30;
const SERVERS = ["without", "ingest", "counted"] as const;
const WITHOUT_PROBLEMS = new URL("without-problems.mjs", import.meta.url).pathname;
/** Ahead of each version that a workspace gets. */
const FAR_AHEAD = 1_000_000_000;
const LOADS = [
  { name: "batches of 50, none bad", batchSize: 50, connections: 4, hasBad: false, maxRatio: 1.02 },
  { name: "batches of 50, 10 % bad", batchSize: 50, connections: 4, hasBad: true, maxRatio: 1.03 },
  { name: "one by one, none bad", batchSize: 1, connections: 64, hasBad: false, maxRatio: 1.02 },
  { name: "one by one, 10 % bad", batchSize: 1, connections: 64, hasBad: true, maxRatio: 1.05 },
] as const;

/** A run of one of a few agents, as agents have names that last. */
function toRun(trace: ParsedTrace, index: number, hasBad: boolean): ParsedTrace {
  const isBad = hasBad && index % BAD_EVERY === 0;
  const [root, first, ...rest] = trace.spans;
  if (!root || !first) throw new Error("A trace has two spans");
  return {
    ...trace,
    name: `agent ${"abcdefgh"[index % 8]}`,
    status: isBad ? "ERROR" : "COMPLETED",
    spans: [
      root,
      isBad
        ? {
            ...first,
            status: "ERROR",
            statusMessage: `order ${index} is in state ${"q".repeat(1 + (index % MESSAGES))}`,
          }
        : first,
      ...rest,
    ],
  };
}

/** Less CPU time of all processes in a second is what servers use that have nothing to do. */
const CALM_MS = 100;
const MAX_WAIT_MS = 120_000;

async function waitUntil(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > MAX_WAIT_MS) throw new Error(`${what} took too long`);
    await sleep(50);
  }
}

/** All bad runs are counted in issues, and what that announces is written. */
const waitUntilCounted = (db: Database) =>
  waitUntil("Counting issues", async () => {
    const { rows } = await sql`
      select from trace_totals left join issue_cursors on issue_cursors.workspace_id = trace_totals.workspace_id
      where problems_version > coalesce(issue_cursors.version, 0) or issue_cursors.is_behind limit 1`.execute(
      db,
    );
    return rows.length === 0;
  });

const waitUntilCalm = (pids: readonly number[], postmaster: number) =>
  waitUntil("Work of earlier rounds", async () => {
    const cpuMs = () => pids.reduce((sum, pid) => sum + processCpuMs(pid), postgresCpuMs(postmaster));
    const before = cpuMs();
    await sleep(1_000);
    return cpuMs() - before < CALM_MS;
  });

await runTrial(async (onCleanup) => {
  const postgres = await openDurablePostgres();
  onCleanup(() => postgres.stop());
  const started = [];
  for (const name of SERVERS) {
    const store = await createStore(postgres, TENANTS);
    onCleanup(() => store.drop());
    if (name === "ingest")
      await sql`insert into issue_cursors (workspace_id, version) select id, ${FAR_AHEAD} from workspaces`.execute(
        store.db,
      );
    const server = await startBuiltServer(
      store.url,
      name === "without" ? { NODE_OPTIONS: `--import=${WITHOUT_PROBLEMS}` } : {},
    );
    onCleanup(() => server.stop());
    started.push({ name, store, server });
  }
  const [firstStarted] = started;
  if (!firstStarted) throw new Error("No server");
  const meter = await Meter.create(firstStarted.store.url);
  const postmaster = await findPostmaster(firstStarted.store.url);
  const pids = started.map(({ server }) => server.pid);
  let hasPassed = true;
  for (const [loadIndex, load] of LOADS.entries()) {
    const variants = started.map(({ name, store, server }, serverIndex): Variant => {
      return {
        name,
        count: TRACES,
        pids: [server.pid],
        databaseUrl: store.url,
        prepare: async (round) => {
          const batches = Array.from(
            generateBatches({
              tenants: store.senders,
              seed: 10 + round,
              idSeed: 1 + (loadIndex * (ROUNDS + 1) + round) * SERVERS.length + serverIndex,
              traceCount: TRACES,
              batchSize: load.batchSize,
              size: "full",
            }),
          );
          let index = 0;
          const sent = batches.map(({ tenant, traces }) => ({
            tenant,
            traces: traces.map((trace) => toRun(trace, index++, load.hasBad)),
          }));
          const requests = sent.map(batchRequest);
          const run = async () => {
            await postBatches([server.url], requests, load.connections);
            if (name === "counted") await waitUntilCounted(store.db);
          };
          const prepared = await expectRows(
            store.db,
            sent.flatMap(({ traces }) => traces),
            { run },
          );
          await waitUntilCalm(pids, postmaster);
          return prepared;
        },
      };
    });
    const [without, ...others] = await measureVariants(meter, ROUNDS, variants);
    if (!without) throw new Error("No figures");
    const cpuMs = (run: VariantRun | undefined) => (run ? run.nodeCpuMs + run.postgresCpuMs : Number.NaN);
    for (const { name, runs } of others) {
      const { ratio, low, high } = ratioOfSums(runs.map(cpuMs), without.runs.map(cpuMs));
      console.log(
        `${load.name}, ${name}: CPU ${median(runs.map(cpuMs)).toFixed(3)} of ${median(without.runs.map(cpuMs)).toFixed(3)} ms a run, ` +
          `ratio ${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)} in 95 of 100 cases), ` +
          `log ${median(runs.map(({ walBytes }) => walBytes)).toFixed(0)} of ${median(without.runs.map(({ walBytes }) => walBytes)).toFixed(0)} bytes`,
      );
      if (name === "ingest") hasPassed &&= ratio <= load.maxRatio;
    }
  }
  for (const { name, store } of started) {
    const { rows } = await sql<{ rows: number; issues: number }>`
      select (select count(*) from problem_runs) as rows, (select count(*) from issues) as issues`.execute(
      store.db,
    );
    console.log(`${name}: ${rows[0]?.rows} rows of bad runs, ${rows[0]?.issues} issues`);
    hasPassed &&= (rows[0]?.rows === 0) === (name === "without");
  }
  return hasPassed;
});
