// Six writers send runs over two servers, send them again with another end, and delete them, while what counts as bad changes. A plain
// model (filter all runs, mask, group) is compared with the rows that issues count, in one snapshot each time, and at the end with the
// issues that the API lists. Passes if both are equal for every seed, and each count equals the list of runs behind it.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "@whytrace/demo";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
  Tally,
} from "@whytrace/testing/trial.ts";
import { sql } from "kysely";
import {
  createDatabase,
  createPool,
  type Database,
  databaseOn,
} from "../../../packages/server/src/db/database.ts";
import { readSnapshot } from "../../../packages/server/src/db/transaction.ts";
import type { WorkspaceId } from "../../../packages/server/src/db/workspace-id.ts";
import { parseRange } from "../../../packages/server/src/issues/issue-range.ts";
import { readIssueSums } from "../../../packages/server/src/issues/issue-sums.ts";
import { processCpuMs } from "../../bench/measure/cpu-time.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20" },
    sends: { type: "string", default: "10000" },
    parallel: { type: "string", default: "1" },
  },
});
const SEEDS = Number(values.seeds);
const SENDS = Number(values.sends);
/** So many seeds at a time, each in a workspace of its own. */
const PARALLEL = Number(values.parallel);
const WRITERS = 6;
const MAX_BATCH = 4;
const MIN_SNAPSHOT_PAUSE_MS = 200;
const MAX_SETTLE_MS = 120_000;
const MAX_ATTEMPTS = 100;
const RETRY_PAUSE_MS = 500;
type Conditions = { kind: string; is: string }[];
const CONDITIONS: readonly [Conditions, Conditions, Conditions] = [
  [{ kind: "status", is: "ERROR" }],
  [
    { kind: "status", is: "ERROR" },
    { kind: "tag", is: "refunded" },
  ],
  [{ kind: "tag", is: "refunded" }],
];
const AGENTS = ["support-agent", "triage", "order 4711", "order 815"] as const;
const WITHOUT_MESSAGE = "Ended in error without a message";

interface Run {
  id: string;
  name: string;
  status: string;
  tags: string[];
  /** Of the outer and the inner step; null if it did not fail. */
  messages: [outer: string | null, inner: string | null];
}

/** As far as the texts of this trial need it: numbers change from run to run, status codes do not. */
const mask = (text: string) => text.replace(/(?<!status code )\b\d+\b/g, "#");

/** What a run is grouped by, of these conditions. */
function keysOf({ name, status, tags, messages }: Run, conditions: Conditions): string[] {
  const keyOf = (kind: string, text: string) => `${kind}\n${mask(name)}\n${text}`;
  if (status === "RUNNING") return [];
  return conditions.flatMap(({ kind }) => {
    if (kind === "tag") return tags.includes("refunded") ? keyOf("condition", "tag refunded") : [];
    if (status !== "ERROR") return [];
    const [outer, inner] = messages;
    return keyOf("error", mask((outer !== null && inner !== null ? inner : outer) ?? WITHOUT_MESSAGE));
  });
}

function drawRun(id: string, random: Random): Run {
  const messages: [string, ...string[]] = [
    `order ${random.between(100, 999)} not found`,
    `status code ${random.pick(["429", "500"])}`,
    `worker ${random.between(1, 99)} of pool ${random.between(100, 200)} died`,
    "policy outdated",
  ];
  const status = random.pick(["ERROR", "ERROR", "COMPLETED", "COMPLETED", "RUNNING"]);
  const outer = status === "ERROR" && random.chance(0.8) ? random.pick(messages) : null;
  return {
    id,
    name: random.pick(AGENTS),
    status,
    tags: random.chance(0.2) ? ["refunded"] : [],
    messages: [outer, outer !== null && random.chance(0.5) ? random.pick(messages) : null],
  };
}

function toTrace({ messages: [outer, inner], ...run }: Run, startedAt: string) {
  const toSpan = (id: string, parentSpanId: string | null, message: string | null) => ({
    id,
    parentSpanId,
    name: `step ${id}`,
    type: "TOOL_CALL",
    status: message === null ? "COMPLETED" : "ERROR",
    startedAt,
    ...(message !== null && { statusMessage: message }),
  });
  const spans = [toSpan("outer", null, outer), toSpan("inner", "outer", inner)];
  return { ...run, startedAt, spans, decisionPoints: [], events: [] };
}

interface StoredRun extends Omit<Run, "messages"> {
  definition: number;
  outer: string | null;
  inner: string | null;
}

/** Compares the rows and the counts of issues with the runs of the same snapshot. Returns what differs. */
async function compareSnapshot(
  own: Database,
  workspaceId: WorkspaceId,
  conditionsOf: (definition: number) => Conditions | undefined,
): Promise<string[]> {
  const { rows: runs } = await sql<StoredRun>`
    select id, name, status, tags, definition,
      (select status_message from spans
       where spans.workspace_id = ${workspaceId} and trace_id = traces.id and spans.id = 'outer') as outer,
      (select status_message from spans
       where spans.workspace_id = ${workspaceId} and trace_id = traces.id and spans.id = 'inner') as inner
    from traces where workspace_id = ${workspaceId}`.execute(own);
  const { rows: found } = await sql<{ traceId: string; kind: number; problem: number; text: string }>`
    select trace_id, kind, problem, text from problem_runs where workspace_id = ${workspaceId}`.execute(own);
  const { rows: places } = await sql<{ problem: number; number: number }>`
    select problem, number from issue_problems where workspace_id = ${workspaceId}`.execute(own);
  const sums = await readIssueSums(own, workspaceId, parseRange({}, Date.now()));

  const names = new Map(runs.map(({ id, name }) => [id, name]));
  const expected = new Set(
    runs.flatMap((run) => {
      const conditions = conditionsOf(run.definition);
      const keys = conditions
        ? keysOf({ ...run, messages: [run.outer, run.inner] }, conditions)
        : ["unknown"];
      return keys.map((key) => `${run.id}\n${key}`);
    }),
  );
  const keyOfRow = ({ traceId, kind, text }: (typeof found)[number]) =>
    `${["error", "score", "condition"][kind]}\n${mask(names.get(traceId) ?? "?")}\n${text}`;
  const stored = new Set(found.map((row) => `${row.traceId}\n${keyOfRow(row)}`));
  const wrong = [
    ...[...expected].filter((key) => !stored.has(key)).map(() => "row missing"),
    ...[...stored].filter((key) => !expected.has(key)).map(() => "row too many"),
  ];
  // One problem for one key, and one key for one problem.
  for (const [of, to] of [
    [keyOfRow, (row: (typeof found)[number]) => String(row.problem)],
    [(row: (typeof found)[number]) => String(row.problem), keyOfRow],
  ] as const)
    for (const group of Map.groupBy(found, of).values())
      if (new Set(group.map(to)).size > 1) wrong.push("key and problem differ");
  const numberOf = new Map(places.map(({ problem, number }) => [problem, number]));
  const counted = Map.groupBy(found, ({ problem }) => numberOf.get(problem));
  for (const [number, group] of counted)
    if (number !== undefined && sums.get(number)?.runs !== new Set(group.map(({ traceId }) => traceId)).size)
      wrong.push("count of an issue is wrong");
  return wrong;
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const urls: string[] = [];
  const pids = [process.pid];
  for (let index = 0; index < 2; index += 1) {
    const server = await startTrialServer(database.url);
    onCleanup(() => killServer(server));
    urls.push(server.url);
    pids.push(server.child.pid ?? 0);
  }
  const pool = createPool(database.url, {
    max: 2 * PARALLEL,
    // The trial waits for a busy machine.
    connectionTimeoutMillis: MAX_SETTLE_MS,
    statement_timeout: MAX_SETTLE_MS,
    query_timeout: MAX_SETTLE_MS,
    idle_in_transaction_session_timeout: MAX_SETTLE_MS,
  });
  const db = createDatabase(pool);
  onCleanup(() => db.destroy());
  const violations = new Tally<string>();
  const statuses = new Tally();
  const figures = { sent: 0, deleted: 0, changes: 0, snapshots: 0, issues: 0, runs: 0 };

  async function runSeed(seed: number) {
    const random = new Random(seed);
    const { user, key } = await newTenant(urls[0] ?? "", database.url, LARGE_PLAN);
    const { workspaceId } = user;
    const final = new Map<string, Run>();
    const busy = new Set<string>();
    const versions = new Map<number, Conditions>([[0, CONDITIONS[0]]]);
    let current = CONDITIONS[0];
    let version = 0;
    let sent = 0;

    /** A busy server answers 503; what it was asked is asked again, as the SDK does. */
    async function untilDone(request: () => Promise<{ status: number }>) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const { status } = await request();
        statuses.add(status);
        if (status !== 503) return;
        await sleep(RETRY_PAUSE_MS);
      }
    }
    async function send() {
      const free = [...final.keys()].filter((id) => !busy.has(id));
      const runs = Array.from({ length: random.between(1, MAX_BATCH) }, () => {
        const again = random.chance(0.5) ? free[random.between(0, free.length - 1)] : undefined;
        return drawRun(again ?? randomUUID(), random);
      }).filter(({ id }, at, all) => all.findIndex((one) => one.id === id) === at);
      for (const { id } of runs) busy.add(id);
      const startedAt = new Date().toISOString();
      const traces = runs.map((run) => toTrace(run, startedAt));
      const url = urls[random.between(0, 1)] ?? "";
      await untilDone(() => postBatch(url, key, JSON.stringify({ traces })));
      for (const run of runs) final.set(run.id, run);
      for (const { id } of runs) busy.delete(id);
      sent += runs.length;
    }
    async function remove() {
      const free = [...final.keys()].filter((id) => !busy.has(id));
      const id = free[random.between(0, free.length - 1)];
      if (id === undefined) return;
      busy.add(id);
      await untilDone(() => user.delete(`/api/traces/${id}`));
      final.delete(id);
      busy.delete(id);
      figures.deleted += 1;
    }
    async function change() {
      const bad = random.pick(CONDITIONS);
      const saved = expectStatus(await user.put("/api/outcomes", { version, bad }), 200).json;
      version = saved.version;
      versions.set(version, bad);
      current = bad;
      figures.changes += 1;
    }
    async function readOne() {
      const client = await pool.connect();
      try {
        const own = databaseOn(client);
        const wrong = await readSnapshot(client, () =>
          compareSnapshot(own, workspaceId, (definition) => versions.get(definition)),
        );
        for (const one of wrong) violations.add(one);
        figures.snapshots += 1;
      } finally {
        client.release();
      }
    }

    let isWriting = true;
    let isChanging = false;
    const reader = (async () => {
      while (isWriting) {
        const startedAt = performance.now();
        if (!isChanging) await readOne();
        // A snapshot reads all runs: most of the time is left to the writers.
        await sleep(Math.max(MIN_SNAPSHOT_PAUSE_MS, 3 * (performance.now() - startedAt)));
      }
    })();
    const changes = Math.max(2, Math.round(SENDS / 1_000));
    let nextChange = SENDS / (changes + 1);
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (sent < SENDS) {
          if (sent > nextChange && !isChanging) {
            nextChange += SENDS / (changes + 1);
            // The version is known when the response has come.
            isChanging = true;
            await change();
            isChanging = false;
          } else if (random.chance(0.15)) await remove();
          else await send();
        }
      }),
    );
    isWriting = false;
    await reader;
    figures.sent += sent;

    const expected = new Map<string, number>();
    for (const run of final.values())
      for (const one of keysOf(run, current)) expected.set(one, (expected.get(one) ?? 0) + 1);
    const readListed = async () => {
      const { issues } = expectStatus(await user.get("/api/issues?state=all&limit=100"), 200).json;
      return issues as { number: number; kind: string; agent: string; title: string; runs: number }[];
    };
    const isEqual = (listed: Awaited<ReturnType<typeof readListed>>) =>
      listed.length === expected.size &&
      listed.every(({ kind, agent, title, runs }) => expected.get(`${kind}\n${agent}\n${title}`) === runs);
    let listed = await readListed();
    const deadline = performance.now() + MAX_SETTLE_MS;
    for (; !isEqual(listed) && performance.now() < deadline; listed = await readListed()) await sleep(500);
    if (!isEqual(listed)) violations.add("issues differ from the model");
    await readOne();
    for (const { number, runs } of listed) {
      const { total } = expectStatus(await user.get(`/api/traces?issue=${number}&limit=1`), 200).json;
      if (total !== runs) violations.add("count differs from the list");
    }
    figures.issues += listed.length;
    figures.runs += [...expected.values()].reduce((sum, count) => sum + count, 0);
  }

  const seconds = (ms: number) => Math.round(ms / 1_000);
  let nextSeed = 1;
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      while (nextSeed <= SEEDS) {
        const seed = nextSeed;
        nextSeed += 1;
        const startedAt = performance.now();
        await runSeed(seed);
        const [own, ...servers] = pids.map((pid) => seconds(processCpuMs(pid)));
        console.error(
          `seed ${seed}: ${seconds(performance.now() - startedAt)} s; ${figures.snapshots} snapshots; violations ${violations}; ` +
            `CPU until now of the trial ${own} s, of the servers ${servers.join(" and ")} s`,
        );
      }
    }),
  );
  console.log(
    `${SEEDS} seeds: ${figures.sent} runs sent, ${figures.deleted} deleted, ${figures.changes} changes of what is bad; responses ${statuses}; ` +
      `${figures.snapshots} snapshots; at the end ${figures.issues} issues of ${figures.runs} runs; violations ${violations}`,
  );
  return violations.isOnly() && statuses.isOnly(200, 503);
});
