// Searches a tenant's traces, alone and beside other tenants. Passes if a word that is nowhere is searched for in all traces
// at 400 MB/s of JSON or more, the first hit of a common word comes within 100 ms, progress at least once a second, the
// server is done within 200 ms of the reader's leaving, and the p99 of other tenants' ingest grows by at most a factor of 1.3.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "@whytrace/demo";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  select,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { generateTraces } from "../bench/generate/generate.ts";
import { findPostmaster, postgresCpuMs, processCpuMs } from "../bench/measure/cpu-time.ts";
import { writeBatch } from "../bench/write-batch.ts";
import { peakRssMib, resetPeakRss, rssMib } from "./support/process-memory.ts";
import { QuietTenants } from "./support/quiet-tenants.ts";

const SEED_TRACES = 1_000;
const BATCH_TRACES = 20;
const QUIET_TENANTS = 8;
const MAX_RATIO = 1.3;
const METRICS_TOKEN = "trial";
const TABLES = ["traces", "spans", "decision_points", "events", "trace_payloads"];
const NOWHERE = "xylophonic quokka";
const COMMON = "the";

const { values } = parseArgs({
  options: {
    traces: { type: "string", default: "100000" },
    seconds: { type: "string", default: "15" },
    rounds: { type: "string", default: "3" },
    json: { type: "boolean", default: false },
  },
});
const copies = Math.max(1, Math.round(Number(values.traces) / SEED_TRACES));

/** The medians of several rounds. */
class Rounds {
  readonly #rounds: { ingestP99Ms: number; readP99Ms: number; refused: number }[] = [];

  add(round: { ingestP99Ms: number; readP99Ms: number; refused: number }) {
    this.#rounds.push(round);
  }

  get ingestP99Ms() {
    return median(this.#rounds.map(({ ingestP99Ms }) => ingestP99Ms));
  }

  get readP99Ms() {
    return median(this.#rounds.map(({ readP99Ms }) => readP99Ms));
  }

  get refused() {
    return this.#rounds.reduce((sum, { refused }) => sum + refused, 0);
  }
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url, { METRICS_TOKEN });
  onCleanup(() => killServer(server));
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const loadedAt = performance.now();
  await loadTraces(server.url, database.url, tenant);
  console.log(`${copies * SEED_TRACES} traces loaded in ${seconds(performance.now() - loadedAt)}`);
  const pid = server.child.pid ?? 0;
  const postmaster = await findPostmaster(database.url);

  // The first search starts the thread.
  await search(server.url, tenant, { q: COMMON, limit: "1" });
  const firstHitsMs: number[] = [];
  for (let round = 0; round < 10; round += 1)
    firstHitsMs.push((await search(server.url, tenant, { q: COMMON, limit: "50" })).firstHitMs);
  const firstHitMs = median(firstHitsMs);
  console.log(`first hit of "${COMMON}": ${firstHitMs.toFixed(0)} ms`);

  const rssBefore = rssMib(pid);
  resetPeakRss(pid);
  const [serverCpu, databaseCpu] = [processCpuMs(pid), postgresCpuMs(postmaster)];
  const scan = await search(server.url, tenant, { q: NOWHERE });
  const megabytes = scan.bytes / 1e6;
  const mbPerSecond = megabytes / (scan.totalMs / 1_000);
  const [serverCpuMs, databaseCpuMs] = [
    processCpuMs(pid) - serverCpu,
    postgresCpuMs(postmaster) - databaseCpu,
  ];
  console.log(
    `"${NOWHERE}": ${scan.traces} traces, ${(megabytes / 1e3).toFixed(2)} GB of JSON in ${seconds(scan.totalMs)}: ` +
      `${mbPerSecond.toFixed(0)} MB/s, ${((scan.traces / scan.totalMs) * 1_000).toFixed(0)} traces/s; CPU: server ` +
      `${seconds(serverCpuMs)} (${(megabytes / (serverCpuMs / 1_000)).toFixed(0)} MB/s a core), PostgreSQL ` +
      `${seconds(databaseCpuMs)}; progress at most ${scan.longestSilenceMs.toFixed(0)} ms apart; memory ` +
      `${rssBefore.toFixed(0)} MiB, peak ${peakRssMib(pid).toFixed(0)} MiB`,
  );

  const cancelsMs: number[] = [];
  for (let round = 0; round < 5; round += 1) cancelsMs.push(await measureCancellation(server.url, tenant));
  const cancelMs = Math.max(...cancelsMs);
  console.log(`done after the reader left: at most ${cancelMs.toFixed(0)} ms`);

  const others: Tenant[] = [];
  for (let i = 0; i < QUIET_TENANTS; i += 1)
    others.push(await newTenant(server.url, database.url, LARGE_PLAN));
  const quietTenants = new QuietTenants(server.url, others);
  await quietTenants.run(5);
  const [quiet, during] = [new Rounds(), new Rounds()];
  let sharedBytes = 0;
  for (let round = 0; round < Number(values.rounds); round += 1) {
    quiet.add(await quietTenants.run(Number(values.seconds)));
    const reading = new AbortController();
    const searching = search(server.url, tenant, { q: NOWHERE }, reading.signal);
    during.add(await quietTenants.run(Number(values.seconds)));
    reading.abort();
    sharedBytes += (await searching).bytes;
  }
  const sharedMbPerSecond = sharedBytes / 1e6 / (Number(values.seconds) * Number(values.rounds));
  const ratio = during.ingestP99Ms / quiet.ingestP99Ms;
  const readRatio = during.readP99Ms / quiet.readP99Ms;
  console.log(
    `beside ${QUIET_TENANTS} tenants: ${sharedMbPerSecond.toFixed(0)} MB/s; their ingest p99 ${quiet.ingestP99Ms.toFixed(1)} ms ` +
      `alone, ${during.ingestP99Ms.toFixed(1)} ms during: ${ratio.toFixed(2)} (maximum ${MAX_RATIO}); reads ` +
      `${quiet.readP99Ms.toFixed(1)} ms, ${during.readP99Ms.toFixed(1)} ms: ${readRatio.toFixed(2)}; refused ${quiet.refused + during.refused}`,
  );
  if (values.json)
    console.log(
      JSON.stringify({
        ...{ traces: scan.traces, bytes: scan.bytes, totalMs: scan.totalMs, mbPerSecond, serverCpuMs },
        ...{ databaseCpuMs, firstHitMs, longestSilenceMs: scan.longestSilenceMs, cancelMs, ratio, readRatio },
      }),
    );
  return (
    mbPerSecond >= 400 &&
    firstHitMs < 100 &&
    scan.longestSilenceMs < 1_500 &&
    cancelMs < 200 &&
    ratio <= MAX_RATIO &&
    quiet.refused + during.refused === 0
  );
});

/** Sends conversations, and lets PostgreSQL copy them with other ids and earlier times. */
async function loadTraces(serverUrl: string, databaseUrl: string, { user, key }: Tenant): Promise<void> {
  const [random, ids] = [new Random(1), new Random(2)];
  const toMs = Date.now();
  for (let sent = 0; sent < SEED_TRACES; sent += BATCH_TRACES) {
    const traces = generateTraces(random, {
      count: BATCH_TRACES,
      size: "conversation",
      firstNumber: sent,
      ids,
      fromMs: toMs - (sent + BATCH_TRACES) * 1_000,
      toMs: toMs - sent * 1_000,
    });
    const { status, text } = await postBatch(serverUrl, key, writeBatch(traces).toString());
    if (status !== 200) throw new Error(`${status}: ${text}`);
  }
  const changed: Readonly<Record<string, string>> = {
    id: "id || '~' || copy",
    trace_id: "trace_id || '~' || copy",
    started_at: `started_at - copy * ${SEED_TRACES} * interval '1 second'`,
  };
  for (const table of TABLES) {
    const columns = await select<{ name: string }>(
      databaseUrl,
      `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = '${table}'`,
    );
    const names = columns.map(({ name }) => name);
    const selected = names.map((name) =>
      name === "id" && table !== "traces" ? name : (changed[name] ?? name),
    );
    await execute(
      databaseUrl,
      `set synchronous_commit = off;
       insert into ${table} (${names.join(", ")}) select ${selected.join(", ")} from ${table},
         generate_series(1, ${copies - 1}) as copy where workspace_id = '${user.workspaceId}'`,
    );
  }
  await execute(
    databaseUrl,
    `update trace_totals set running = running * ${copies}, completed = completed * ${copies}, error = error * ${copies}
     where workspace_id = '${user.workspaceId}'`,
  );
  await execute(databaseUrl, "vacuum analyze");
  await execute(databaseUrl, "checkpoint");
}

interface SearchResult {
  firstHitMs: number;
  totalMs: number;
  longestSilenceMs: number;
  traces: number;
  bytes: number;
}

/** Reads a search to its end, or until the signal says so. */
async function search(
  url: string,
  { user }: Tenant,
  query: Record<string, string>,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const startedAt = performance.now();
  const result = { firstHitMs: Number.NaN, totalMs: 0, longestSilenceMs: 0, traces: 0, bytes: 0 };
  let heardAt = startedAt;
  try {
    const response = await fetch(`${url}/api/search?${new URLSearchParams(query)}`, {
      headers: { cookie: user.cookie ?? "" },
      ...(signal && { signal }),
    });
    if (response.status !== 200 || !response.body) throw new Error(await response.text());
    let text = "";
    for await (const bytes of response.body) {
      const now = performance.now();
      result.longestSilenceMs = Math.max(result.longestSilenceMs, now - heardAt);
      heardAt = now;
      const lines = (text + Buffer.from(bytes).toString()).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines.map((one) => JSON.parse(one)))
        if (line.kind !== "hit") [result.traces, result.bytes] = [line.traces, line.bytes];
        else if (Number.isNaN(result.firstHitMs)) result.firstHitMs = now - startedAt;
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return { ...result, totalMs: performance.now() - startedAt };
}

/** How long a search goes on after its reader has left. */
async function measureCancellation(url: string, tenant: Tenant): Promise<number> {
  const reading = new AbortController();
  const searching = search(url, tenant, { q: NOWHERE }, reading.signal);
  await sleep(300 + Math.random() * 300);
  if ((await runningSearches(url)) !== 1) throw new Error("The search has ended too early: use more traces");
  const leftAt = performance.now();
  reading.abort();
  await searching;
  while ((await runningSearches(url)) > 0) await sleep(5);
  return performance.now() - leftAt;
}

async function runningSearches(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return Number(/^whytrace_searches (\d+)$/m.exec(await response.text())?.[1]);
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
