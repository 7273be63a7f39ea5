// Six writers send traces over two servers, by POST /api/traces and by OTLP in pieces, send them again with other decisions
// or onto another day, and delete them, while readers read the figures of insights and store the days that are over. Passes
// if every read equals the facts of its own snapshot, and the end equals what another user gets who sends the final traces
// at once. With --plant, readers store figures under the version that the traces have by then, and not under that of their
// snapshot: the trial must fail.
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { finishSteps } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { otlpAttributes, otlpNanos, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import { postOtlp } from "@whytrace/testing/otlp/post-otlp.ts";
import { decision, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import {
  Tally as Counts,
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { sql } from "kysely";
import {
  createDatabase,
  createPool,
  type Database,
  databaseOn,
} from "../../packages/server/src/db/database.ts";
import { textList } from "../../packages/server/src/db/statements/text-list.ts";
import { readSnapshot } from "../../packages/server/src/db/transaction.ts";
import type { WorkspaceId } from "../../packages/server/src/db/workspace-id.ts";
import { aggregateDay } from "../../packages/server/src/insights/days/aggregate-day.ts";
import type { CountTable } from "../../packages/server/src/insights/days/count-table.ts";
import { mergeDay } from "../../packages/server/src/insights/days/merge-day.ts";
import { DAY_SECTIONS, readDays } from "../../packages/server/src/insights/days/read-days.ts";
import { Tally } from "../../packages/server/src/insights/days/tally.ts";
import { storeDecisionDay } from "../../packages/server/src/trace-store/counts/store-decision-day.ts";
import { readTotals } from "../../packages/server/src/trace-store/counts/totals.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    steps: { type: "string", default: "300" },
    plant: { type: "boolean", default: false },
  },
});
const STEPS = Number(values.steps);
const WRITERS = 6;
const DAYS = 5;
const MAX_DERIVING_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const NOW = Date.now();
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const RANGE = { from: dayOf(NOW - 10 * DAY_MS), to: dayOf(NOW + 2 * DAY_MS) };
const OPTIONS = ["search", "ask", "give up"];
const TYPES = ["TOOL_SELECTION", "ROUTING", "RETRY"] as const;

const random = new Random(Number(values.seed));
const startMs = () => NOW - random.between(0, DAYS) * DAY_MS - random.between(0, 3_600_000);

/** How a trace is sent: at once, or as spans. */
type Sent = { kind: "json"; body: object } | { kind: "otlp"; spans: SentSpan[] };

interface SentSpan {
  spanId: string;
  status: { code: number; message: string };
  events: object[];
}
/** Of OpenTelemetry. */
const FAILED = 2;

function newJsonTrace(id: string): Sent {
  const start = startMs();
  const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
  const decisionPoints = Array.from({ length: random.between(0, 6) }, (_, index) => {
    const chosen = random.pick(["search", "ask", "give up"]);
    const alternatives = OPTIONS.filter((option) => option !== chosen);
    return decision({
      type: random.pick(TYPES),
      chosen,
      alternatives,
      timestamp: at(index),
      parentSpanId: "work",
    });
  });
  const status = random.pick(["COMPLETED", "ERROR", "RUNNING"]);
  const failing = random.chance(0.5) ? "ERROR" : "COMPLETED";
  const body = trace({
    id,
    name: random.pick(["planner", "support agent", "order 4711"]),
    status,
    tags: random.chance(0.5) ? [`v1.${random.between(0, 2)}`] : [],
    ...(random.chance(0.7) && { sessionId: `session ${random.between(1, 8)}` }),
    startedAt: at(0),
    totalCost: random.between(0, 100) / 64,
    spans: [
      span({ id: "work", startedAt: at(0), status: failing }),
      span({
        id: "call",
        parentSpanId: "work",
        startedAt: at(3),
        status: failing,
        costUsd: random.between(0, 8) / 64,
      }),
    ],
    decisionPoints,
  });
  return { kind: "json", body };
}

function newOtlpTrace(traceId: string): Sent {
  const start = startMs();
  const spans = Array.from({ length: random.between(1, 4) }, (_, index) => ({
    traceId,
    spanId: `${index + 1}`.padStart(16, "0"),
    ...(index > 0 && { parentSpanId: "1".padStart(16, "0") }),
    name: index === 0 ? "otlp agent" : "step",
    startTimeUnixNano: otlpNanos(start + index * 1_000),
    endTimeUnixNano: otlpNanos(start + index * 1_000 + 500),
    attributes: [],
    status: { code: random.chance(0.3) ? FAILED : 1, message: "went wrong" },
    events: Array.from({ length: random.between(0, 2) }, (_, event) => {
      const chosen = random.pick(["search", "ask", "give up"]);
      return {
        name: "whytrace.decision",
        timeUnixNano: otlpNanos(start + index * 1_000 + event),
        attributes: otlpAttributes({
          "whytrace.decision.type": random.pick(TYPES),
          "whytrace.decision.chosen": chosen,
          "whytrace.decision.alternatives": JSON.stringify(OPTIONS.filter((option) => option !== chosen)),
        }),
      };
    }),
  }));
  return { kind: "otlp", spans };
}

const newTraceId = () => randomBytes(16).toString("hex");
const statuses = new Counts();

async function sendOtlp(url: string, { key }: Tenant, spans: object[]) {
  const { status } = await postOtlp(url, key, encodeOtlp(otlpTraces(spans)));
  statuses.add(status);
}

async function sendJson(url: string, { key }: Tenant, bodies: object[]) {
  const { status } = await postBatch(url, key, JSON.stringify({ traces: bodies }));
  statuses.add(status);
}

/** The rows of a tally in an order that does not depend on how it was added up. */
function describe(tally: Tally): string[] {
  const rows: string[] = [];
  const row = (kind: string, key: unknown[], table: CountTable, index: number) => {
    // Sums of costs depend on the order in the last digits.
    const counts = Array.from({ length: table.width }, (_, column) => table.get(index, column).toFixed(6));
    if (counts.some((count) => Number(count) !== 0))
      rows.push(`${kind} ${key.join(" ")}: ${counts.join(" ")}`);
  };
  const group = (index: number) => [tally.agentHash(tally.agentOf(index)), tally.releaseOf(index)];
  const agentKey = ({ keys }: CountTable, index: number) => [
    tally.agentHash(keys.key(index, 0)),
    keys.key(index, 1),
    keys.key(index, 2),
  ];
  for (let index = 0; index < tally.groups.size; index += 1) row("group", group(index), tally.groups, index);
  for (let index = 0; index < tally.choices.size; index += 1)
    row(
      "choice",
      [...group(tally.groupOf(index)), tally.signatures[index], tally.stepOf(index)],
      tally.choices,
      index,
    );
  for (const kind of ["transitions", "errors"] as const)
    for (let index = 0; index < tally[kind].size; index += 1)
      row(kind, agentKey(tally[kind], index), tally[kind], index);
  return rows.sort();
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const servers = await Promise.all([startTrialServer(database.url), startTrialServer(database.url)]);
  for (const server of servers) onCleanup(() => killServer(server));
  const [{ url }] = servers;
  const sender = await newTenant(url, database.url, LARGE_PLAN);
  const reference = await newTenant(url, database.url, LARGE_PLAN);
  const workspaceId = sender.user.workspaceId;
  const pool = createPool(database.url, { max: 4 });
  const db = createDatabase(pool);
  onCleanup(() => db.destroy());

  const final = new Map<string, Sent>();
  const busy = new Set<string>();
  const figures = {
    sent: 0,
    again: 0,
    deleted: 0,
    reads: 0,
    storedDays: 0,
    fromDays: 0,
    kept: 0,
    refused: 0,
    wrong: 0,
  };
  const anyServer = () => servers[random.between(0, 1)]?.url ?? url;

  async function send(id: string, sent: Sent) {
    if (sent.kind === "json") await sendJson(anyServer(), sender, [sent.body]);
    else {
      const before = final.get(id);
      // Pieces come in any order, over both servers.
      const pieces = sent.spans.map((one) => [one]).sort(() => random.next() - 0.5);
      for (const piece of pieces) await sendOtlp(anyServer(), sender, piece);
      if (before?.kind === "otlp") {
        for (const [index, { status, events }] of before.spans.entries()) {
          const later = sent.spans[index];
          // A span that failed stays failed, and a version without events leaves those of the former.
          if (status.code === FAILED) Object.assign(later ?? {}, { status });
          if (later?.events.length === 0) Object.assign(later, { events });
        }
        sent.spans.push(...before.spans.slice(sent.spans.length));
      }
    }
    final.set(id, sent);
  }

  async function write() {
    const ids = [...final.keys()].filter((id) => !busy.has(id));
    const id = ids[random.between(0, Math.max(0, ids.length - 1))];
    if (id === undefined || ids.length < 20 || random.chance(0.4)) {
      const isOtlp = random.chance(0.4);
      const newId = isOtlp ? newTraceId() : randomUUID();
      busy.add(newId);
      await send(newId, isOtlp ? newOtlpTrace(newId) : newJsonTrace(newId));
      busy.delete(newId);
      figures.sent += 1;
      return;
    }
    busy.add(id);
    if (random.chance(0.75)) {
      await send(id, final.get(id)?.kind === "otlp" ? newOtlpTrace(id) : newJsonTrace(id));
      figures.again += 1;
    } else {
      statuses.add((await sender.user.delete(`/api/traces/${id}`)).status);
      final.delete(id);
      figures.deleted += 1;
    }
    busy.delete(id);
  }

  /** Reads the figures, and the facts themselves, in one snapshot. */
  async function readBoth(own: Database, ofWorkspace: WorkspaceId) {
    const { version } = await readTotals(own, ofWorkspace);
    const read = await readDays(own, ofWorkspace, { range: RANGE, version }, { sections: DAY_SECTIONS });
    const expected = new Tally();
    for (let ms = Date.parse(RANGE.to) - DAY_MS; ms >= Date.parse(RANGE.from); ms -= DAY_MS)
      finishSteps(mergeDay(expected, (await aggregateDay(own, ofWorkspace, dayOf(ms))).figures));
    const samples = [
      ...new Set([...read.tally.samples.map(({ traceId }) => traceId), ...read.tally.groupSamples]),
    ];
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from traces where workspace_id = ${ofWorkspace} and id = any(${textList(samples)})`.execute(
      own,
    );
    return { read, expected, isComplete: rows[0]?.count === samples.length };
  }

  async function read() {
    const client = await pool.connect();
    try {
      const own = databaseOn(client);
      const { read, expected, isComplete } = await readSnapshot(client, () => readBoth(own, workspaceId));
      const isRight = isComplete && describe(read.tally).join("\n") === describe(expected).join("\n");
      figures.reads += 1;
      figures.fromDays += read.days.length - read.aggregated.length;
      if (!isRight) figures.wrong += 1;
      // Something may change before the days are stored.
      if (random.chance(0.5)) await sleep(random.between(0, 60));
      for (const day of read.aggregated) {
        const version = values.plant ? (await readTotals(own, workspaceId)).version : day.version;
        const isKept = await storeDecisionDay(own, workspaceId, { ...day, version });
        if (isKept) figures.kept += 1;
        else figures.refused += 1;
      }
    } finally {
      client.release();
    }
  }

  let isWriting = true;
  const readers = Array.from({ length: 2 }, async () => {
    while (isWriting) await read();
  });
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let step = 0; step < STEPS; step += 1) await write();
    }),
  );
  isWriting = false;
  await Promise.all(readers);

  // Spans that came by OTLP may still be derived.
  for (let waiting = 1; waiting > 0; await sleep(200)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from traces where derive_after is not null`.execute(db);
    waiting = rows[0]?.count ?? 0;
  }
  await read();
  await read();
  const copies = [...final.values()];
  for (const { spans } of copies.filter((one) => one.kind === "otlp")) {
    const traceId = newTraceId();
    await sendOtlp(
      url,
      reference,
      spans.map((one) => ({ ...one, traceId })),
    );
  }
  const bodies = copies
    .filter((one) => one.kind === "json")
    .map(({ body }) => ({ ...body, id: randomUUID() }));
  for (let start = 0; start < bodies.length; start += 50)
    await sendJson(url, reference, bodies.slice(start, start + 50));
  const client = await pool.connect();
  const own = databaseOn(client);
  const readEnd = () =>
    readSnapshot(client, async () => {
      const ended = describe((await readBoth(own, workspaceId)).read.tally);
      const copied = describe((await readBoth(own, reference.user.workspaceId)).read.tally);
      return {
        missing: copied.filter((line) => !ended.includes(line)),
        over: ended.filter((line) => !copied.includes(line)),
      };
    });
  let end = await readEnd();
  // What came by OpenTelemetry last is derived after its response.
  for (const deadline = Date.now() + MAX_DERIVING_MS; Date.now() < deadline; end = await readEnd()) {
    if (end.missing.length + end.over.length === 0) break;
    await sleep(500);
  }
  client.release();
  console.log(
    `${figures.sent} traces sent, ${figures.again} sent again, ${figures.deleted} deleted, ${final.size} left; responses ${statuses}; ` +
      `${figures.reads} reads, ${figures.wrong} wrong; ${figures.fromDays} days read as stored, ${figures.kept} stored, ` +
      `${figures.refused} not stored because they had changed`,
  );
  const isAsSent = end.missing.length + end.over.length === 0;
  console.log(isAsSent ? "the end is what was sent" : "the end is not what was sent", isAsSent ? "" : end);
  return (
    isAsSent && figures.wrong === 0 && statuses.isOnly(200) && figures.refused > 0 && figures.fromDays > 0
  );
});
