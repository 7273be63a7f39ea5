// Measures scores at size: sends 100,000 traces and as many scores, a thousand in a request, and reads the lists that scores decide.
// Prints scores a second, bytes a score with its indexes, the percentiles of each list, and how many runs are judged again in a second when
// what counts as bad changes. Passes if the p95 of every list is at most 50 ms.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { percentile } from "@whytrace/testing/percentile.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import type { ServerProcess } from "@whytrace/testing/server/server-process.ts";
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
import { findPostmaster, postgresCpuMs, processCpuMs } from "../bench/measure/cpu-time.ts";

const { values } = parseArgs({
  options: { traces: { type: "string", default: "100000" }, rounds: { type: "string", default: "100" } },
});
const TRACES = Number(values.traces);
const ROUNDS = Number(values.rounds);
const TRACES_PER_REQUEST = 200;
const SCORES_PER_REQUEST = 1_000;
const SENDERS = 4;
const WARM_UPS = 10;
const MAX_P95_MS = 50;
const RANGE_MS = 28 * 24 * 3_600_000;
const NOW_MS = Date.now();

/** One in ten is bad. */
const isBad = (index: number) => index % 10 === 3;
const PATHS = [
  "/api/traces",
  "/api/traces?outcome=bad",
  "/api/traces?outcome=bad&include=outcome",
  "/api/traces?scoreName=correct&scoreIs=false",
  "/api/traces?scoreName=helpful&scoreMissing=true",
  "/api/scores",
  "/api/scores?name=correct",
  "/api/scores/names",
];

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const idOf = (index: number) => `${tenant.user.workspaceId}-${index}`;
  await inParallel(TRACES / TRACES_PER_REQUEST, async (request) => {
    const first = request * TRACES_PER_REQUEST;
    const traces = Array.from({ length: TRACES_PER_REQUEST }, (_, offset) =>
      toTrace(idOf(first + offset), first + offset),
    );
    const { status, text } = await postBatch(server.url, tenant.key, JSON.stringify({ traces }));
    if (status !== 200) throw new Error(`${status} ${text}`);
  });
  const startedAt = performance.now();
  await inParallel(TRACES / SCORES_PER_REQUEST, async (request) => {
    const first = request * SCORES_PER_REQUEST;
    const scores = Array.from({ length: SCORES_PER_REQUEST }, (_, offset) => {
      const index = first + offset;
      return {
        traceId: idOf(index),
        name: "correct",
        value: !isBad(index),
        source: "judge",
        author: "judge@1",
      };
    });
    await post(tenant, scores);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(
    `${TRACES} scores on stored traces in ${seconds.toFixed(1)} s: ${Math.round(TRACES / seconds)} a second, ${SENDERS} senders`,
  );
  await select(database.url, "vacuum analyze scores");
  await select(database.url, "vacuum analyze traces");
  const [size] = await select<{ row: string; all: string }>(
    database.url,
    "select pg_relation_size('scores') as row, pg_total_relation_size('scores') as all",
  );
  const each = (bytes: string | undefined) => Math.round(Number(bytes) / TRACES);
  console.log(`${each(size?.all)} bytes a score, of which the row ${each(size?.row)}`);
  let hasPassed = true;
  for (const path of PATHS) {
    const times: number[] = [];
    for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
      const sentAt = performance.now();
      expectStatus(await tenant.user.get(path), 200);
      if (round >= WARM_UPS) times.push(performance.now() - sentAt);
    }
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    console.log(`${path}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
    if (p95 > MAX_P95_MS) hasPassed = false;
  }
  await measureJudging(server, database.url, tenant);
  console.log(hasPassed ? "passed" : `failed: a p95 is above ${MAX_P95_MS} ms`);
  return hasPassed;
});

/** Defines other runs as bad, all of them and then those of before, and waits until stored runs are judged by it. */
async function measureJudging({ child: { pid = 0 } }: ServerProcess, databaseUrl: string, { user }: Tenant) {
  const postmaster = await findPostmaster(databaseUrl);
  const cpuMs = () => processCpuMs(pid) + postgresCpuMs(postmaster);
  const definitions = [
    { changes: "a tenth of the outcomes", bad: [{ kind: "status", is: "ERROR" }] },
    { changes: "all outcomes", bad: [{ kind: "duration", aboveMs: 1_000 }] },
    { changes: "no outcome", bad: [{ kind: "duration", aboveMs: 2_000 }] },
  ];
  for (const [version, { changes, bad }] of definitions.entries()) {
    const [startedAt, cpuBefore] = [performance.now(), cpuMs()];
    expectStatus(await user.put("/api/outcomes", { agent: null, version, bad }), 200);
    while ((await user.get("/api/outcomes")).json.progress !== null) await sleep(500);
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuSeconds = (cpuMs() - cpuBefore) / 1_000;
    console.log(
      `a definition that changes ${changes}: ${TRACES} runs judged again in ${seconds.toFixed(1)} s, with ${cpuSeconds.toFixed(1)} s of CPU: ` +
        `${Math.round(TRACES / cpuSeconds)} a second and core`,
    );
  }
}

async function post({ user, key }: Tenant, scores: object[]) {
  const headers = { authorization: `Bearer ${key}` };
  expectStatus(await user.post("/api/scores", { scores }, { headers }), 200);
}

/** Calls `work` for each number below `count`, several at a time. */
async function inParallel(count: number, work: (number: number) => Promise<void>) {
  let next = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

function toTrace(id: string, index: number) {
  const startMs = NOW_MS - RANGE_MS + (index * RANGE_MS) / TRACES - 3_600_000;
  const at = (ms: number) => new Date(startMs + ms).toISOString();
  const span = (number: number, ms: number) => ({
    id: `${number}`,
    parentSpanId: number === 0 ? null : "0",
    name: number === 0 ? "worker" : `step ${number}`,
    type: number === 0 ? "AGENT" : "TOOL_CALL",
    status: "COMPLETED",
    startedAt: at(ms),
    endedAt: at(number === 0 ? 5_000 : ms + 100),
  });
  return {
    id,
    name: `agent ${"abcdefgh"[index % 8]}`,
    status: "COMPLETED",
    startedAt: at(0),
    endedAt: at(5_000),
    tags: [],
    metadata: {},
    spans: [0, 1, 2, 3].map((number) => span(number, 1_000 * number)),
    decisionPoints: [
      {
        id: "d",
        parentSpanId: "0",
        type: "TOOL_SELECTION",
        chosen: index % 3 === 0 ? "search" : "lookup",
        alternatives: [index % 3 === 0 ? "lookup" : "search"],
        timestamp: at(500),
      },
    ],
    events: [],
  };
}
