// Measures the pages of insights for a tenant with 100,000 traces (`--traces`) and four times as many decisions over 30 days:
// the first visit, which adds up the days, and later ones, each after a trace was sent, so that no result is cached. Passes if
// the p99 of later visits is at most 200 ms. Also prints the CPU time of the server for each request, which a busy machine
// changes less. `--only seed` stops after the traces are stored.
import { parseArgs } from "node:util";
import { hash32, signatureToHex, signDecision } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { percentile } from "@whytrace/testing/percentile.ts";
import { decisionFact, decisionFacts } from "@whytrace/testing/samples/decision-facts.ts";
import { decision, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { sql } from "kysely";
import { createDatabase, createPool, type Database } from "../../packages/server/src/db/database.ts";
import { agentHash } from "../../packages/server/src/decision-facts/agent-hash.ts";
import {
  encodeDecisionFacts,
  encodeDecisionPath,
} from "../../packages/server/src/decision-facts/encode-decision-facts.ts";
import { decisionTypeBit } from "../../packages/server/src/trace-store/rows/computed-columns.ts";
import { processCpuMs } from "../bench/measure/cpu-time.ts";

const { values } = parseArgs({
  options: {
    traces: { type: "string", default: "100000" },
    rounds: { type: "string", default: "40" },
    only: { type: "string" },
  },
});
const TRACES = Number(values.traces);
const ROUNDS = Number(values.rounds);
/** Requests of each kind that compile the code. */
const WARM_UPS = 10;
const MAX_P99_MS = 200;
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const AGENTS = 12;
const SIGNATURES_PER_AGENT = 20;
const DECISIONS_PER_TRACE = 4;
const CHUNK_TRACES = 2_000;
/** Traces that are made one by one. PostgreSQL copies them, with other ids and times, until there are enough. */
const MADE_TRACES = 20_000;
const OPTIONS = ["search the orders", "ask a human", "give up"];

/** A decision of an agent, numbered: which options it has, and their hashes. */
const decisionOf = (agent: number, number: number, option: number) => {
  const options = OPTIONS.map((name) => `${name} (${agent}-${number})`);
  const chosen = options[option] ?? "";
  const alternatives = options.filter((name) => name !== chosen);
  return { chosen, alternatives, ...signDecision({ type: "TOOL_SELECTION", chosen, alternatives }) };
};
const DECISIONS = Array.from({ length: AGENTS }, (_, agent) =>
  Array.from({ length: SIGNATURES_PER_AGENT }, (_, number) =>
    OPTIONS.map((_, option) => decisionOf(agent, number, option)),
  ),
);
const nameOf = (agent: number) => `agent ${"abcdefghijkl"[agent]}`;

/** Inserts traces with what insights count of them, directly: sending them would take long. */
async function insertChunk(db: Database, workspaceId: string, first: number, random: Random): Promise<void> {
  const traces: object[] = [];
  const decisions: object[] = [];
  for (let n = first; n < Math.min(first + CHUNK_TRACES, TRACES, MADE_TRACES); n += 1) {
    const agent = random.between(0, AGENTS - 1);
    const startedAt = new Date(Date.now() - random.next() * (DAYS - 1) * DAY_MS).toISOString();
    const isError = random.chance(0.12);
    const chosen = Array.from({ length: DECISIONS_PER_TRACE }, () => {
      const options = DECISIONS[agent]?.[random.between(0, SIGNATURES_PER_AGENT - 1)];
      return (
        options?.[
          random.weighted([
            [0, 6],
            [1, 3],
            [2, 1],
          ])
        ] ?? decisionOf(agent, 0, 0)
      );
    });
    const facts = chosen.map(({ signature, step }, position) =>
      decisionFact({
        signature,
        step,
        type: "TOOL_SELECTION",
        outcome: isError ? (random.chance(0.5) ? 3 : 2) : random.chance(0.1) ? 1 : 0,
        position,
        costUsd: random.next(),
        durationMs: random.between(10, 60_000),
      }),
    );
    const release = `v1.${random.between(0, 3)}`;
    const fingerprints = isError ? [hash32(`error ${random.between(0, 20)}`)] : [];
    const bytes = encodeDecisionFacts(
      decisionFacts({ release: hash32(release), decisions: facts, fingerprints }),
    );
    traces.push({
      id: `trace-${n}`,
      name: nameOf(agent),
      status: isError ? "ERROR" : "COMPLETED",
      tag: release,
      startedAt,
      agentHash: agentHash(nameOf(agent)),
      facts: Buffer.from(bytes).toString("hex"),
      path: Buffer.from(encodeDecisionPath(facts)).toString("hex"),
    });
    for (const [position, { chosen: option, alternatives }] of chosen.entries())
      decisions.push({ traceId: `trace-${n}`, position, chosen: option, alternatives, startedAt });
  }
  await sql`
    insert into traces (workspace_id, id, name, status, tags, total_cost, started_at, created_at, span_count,
      decision_point_count, event_count, agent_hash, decision_facts, decision_path, error_count, decision_types)
    select ${workspaceId}, id, name, status, array[tag], 0.5, "startedAt", "startedAt", 0, 4, 0, "agentHash",
      decode(facts, 'hex'), decode(path, 'hex'), 0, ${decisionTypeBit("TOOL_SELECTION")}
    from json_to_recordset(${JSON.stringify(traces)}::json) as sent (id text, name text, status text, tag text,
      "startedAt" timestamptz, "agentHash" bigint, facts text, path text)`.execute(db);
  await sql`
    insert into decision_points (workspace_id, trace_id, id, position, type, reasoning, chosen, alternatives, timestamp,
      search_text, choice)
    select ${workspaceId}, "traceId", position::text, position, 'TOOL_SELECTION', 'It is the best for order ' || position,
      to_json(chosen), alternatives, "startedAt", '', chosen
    from json_to_recordset(${JSON.stringify(decisions)}::json) as sent ("traceId" text, position integer, chosen text,
      alternatives json, "startedAt" timestamptz)`.execute(db);
}

/** Copies of the first traces and of their decisions, started at other times: facts contain no times. */
async function copyTraces(db: Database, workspaceId: string, first: number): Promise<void> {
  const last = Math.min(first + CHUNK_TRACES, TRACES) - 1;
  // A copy and its original differ by this number.
  const distance = first - (first % MADE_TRACES);
  await sql`
    with copied as (
      insert into traces (workspace_id, id, name, status, tags, total_cost, started_at, created_at, span_count,
        decision_point_count, event_count, agent_hash, decision_facts, decision_path, error_count, decision_types)
      select workspace_id, 'trace-' || number, name, status, tags, total_cost, at, at, span_count,
        decision_point_count, event_count, agent_hash, decision_facts, decision_path, error_count, decision_types
      from generate_series(${first}::integer, ${last}::integer) as number
        cross join lateral (
          select now() - (${DAYS - 1} * random() + 0 * number) * interval '1 day' as at) as times
        join traces on workspace_id = ${workspaceId} and id = 'trace-' || number - ${distance}::integer
      returning id, started_at)
    insert into decision_points (workspace_id, trace_id, id, position, type, reasoning, chosen, alternatives, timestamp,
      search_text, choice)
    select made.workspace_id, copied.id, made.id, position, type, reasoning, chosen, alternatives, copied.started_at,
      search_text, choice
    from copied join decision_points as made on made.workspace_id = ${workspaceId}
      and made.trace_id = 'trace-' || substr(copied.id, 7)::integer - ${distance}::integer`.execute(db);
}

/** A trace with spans that chose this option at its last decision; option 0 fails. */
function wholeTrace(id: string, option: 0 | 1) {
  const atMs = Date.now() - 60_000;
  const at = (ms: number) => new Date(atMs + ms).toISOString();
  const status = option === 0 ? "ERROR" : "COMPLETED";
  const decisions = Array.from({ length: DECISIONS_PER_TRACE }, (_, number) => {
    const { chosen, alternatives } = decisionOf(0, number, number < DECISIONS_PER_TRACE - 1 ? 0 : option);
    return decision({ type: "TOOL_SELECTION", chosen, alternatives, timestamp: at(number) });
  });
  return trace({
    id,
    name: nameOf(0),
    status,
    startedAt: at(0),
    endedAt: at(100),
    decisionPoints: decisions,
    spans: [
      span({ status, statusMessage: option === 0 ? "timeout" : null, startedAt: at(50), endedAt: at(90) }),
    ],
  });
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { user, key } = await newTenant(server.url, database.url, LARGE_PLAN);
  const db = createDatabase(createPool(database.url, { max: 1 }));
  onCleanup(() => db.destroy());
  await sql`set synchronous_commit = off`.execute(db);
  await sql`set statement_timeout = 0`.execute(db);
  const random = new Random(1);
  const seedStartedAt = performance.now();
  for (let first = 0; first < Math.min(TRACES, MADE_TRACES); first += CHUNK_TRACES)
    await insertChunk(db, user.workspaceId, first, random);
  await sql`analyze traces, decision_points`.execute(db);
  for (let first = MADE_TRACES; first < TRACES; first += CHUNK_TRACES)
    await copyTraces(db, user.workspaceId, first);
  await sql`
    insert into trace_totals as totals (workspace_id, completed, version) values (${user.workspaceId}, ${TRACES}, 1)
    on conflict (workspace_id) do update set completed = ${TRACES}, version = greatest(totals.version, 1)`.execute(
    db,
  );
  await sql`
    insert into decision_days (workspace_id, day, changed)
    select workspace_id, (started_at at time zone 'utc')::date, 1 from traces where workspace_id = ${user.workspaceId}
    group by 1, 2`.execute(db);
  await sql`analyze`.execute(db);
  const { rows: stored } = await sql<{ traces: number; decisions: number; bytes: number }>`
    select (select count(*) from traces where workspace_id = ${user.workspaceId}) as traces,
      (select count(*) from decision_points where workspace_id = ${user.workspaceId}) as decisions,
      pg_database_size(current_database()) as bytes`.execute(db);
  const { traces = 0, decisions = 0, bytes = 0 } = stored[0] ?? {};
  const seconds = Math.round((performance.now() - seedStartedAt) / 1_000);
  console.log(
    `stored ${traces} traces and ${decisions} decisions, ${Math.round(bytes / 1e6)} MB, in ${seconds} s`,
  );
  if (traces !== TRACES || decisions !== TRACES * DECISIONS_PER_TRACE) throw new Error("not all were stored");
  if (values.only === "seed") return true;

  const [first] = DECISIONS[0]?.[0] ?? [];
  const signature = signatureToHex(first?.signature ?? 0);
  const agent = encodeURIComponent(nameOf(0));
  const paths = {
    agents: "agents",
    "why list": `decisions?agent=${agent}`,
    "why list, all agents": "decisions",
    scorecard: `decisions/${signature}`,
    reasons: `decisions/${signature}/reasons`,
    map: `map?agent=${agent}`,
    findings: `findings?agent=${agent}`,
    "findings, all agents": "findings",
    drift: `drift?agent=${agent}`,
    blame: "blame/failed",
    partners: "partners/failed",
    compare: "compare?a=failed&b=fine",
  };
  for (const [id, option] of [
    ["failed", 0],
    ["fine", 1],
  ] as const)
    await postBatch(server.url, key, JSON.stringify({ traces: [wholeTrace(id, option)] }));
  const get = async (path: string) => {
    const startedAt = performance.now();
    const { status, json } = await user.get(`/api/insights/${path}`);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return { ms: performance.now() - startedAt, progress: json.progress };
  };
  const cpuMs = () => processCpuMs(server.child.pid ?? 0);
  for (const path of ["decisions", "findings"]) {
    let visits = 0;
    const visitCpuMs = cpuMs();
    const visitStartedAt = performance.now();
    for (let isDone = false; !isDone; visits += 1) isDone = !(await get(path)).progress;
    console.log(
      `first visit, ${path}: ${visits} requests, ${Math.round(performance.now() - visitStartedAt)} ms, CPU ${cpuMs() - visitCpuMs} ms`,
    );
  }

  let worstP99 = 0;
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = [];
    let usedMs = 0;
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      // A new version of the tenant's traces: nothing is cached.
      const startedAt = new Date().toISOString();
      const sent = trace({
        name: nameOf(0),
        startedAt,
        decisionPoints: [decision({ timestamp: startedAt })],
      });
      await postBatch(server.url, key, JSON.stringify({ traces: [sent] }));
      const before = cpuMs();
      const { ms } = await get(path);
      if (round < 0) continue;
      times.push(ms);
      usedMs += cpuMs() - before;
    }
    const cached = (await get(path)).ms;
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    worstP99 = Math.max(worstP99, p99);
    console.log(
      `${name}: p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} ms, CPU ${Math.round(usedMs / ROUNDS)} ms; unchanged ${cached.toFixed(0)} ms`,
    );
  }
  const [list] = DECISIONS[0]?.[0] ?? [];
  const step = (list?.step ?? 0).toString(16).padStart(8, "0");
  for (const query of [`step=${step}`, `agent=${agent}&step=${step}&stepOutcome=failed`]) {
    const startedAt = performance.now();
    const { json } = await user.get(`/api/traces?${query}&limit=20`);
    console.log(`list of ${json.total} traces, ${query}: ${Math.round(performance.now() - startedAt)} ms`);
  }
  return worstP99 <= MAX_P99_MS;
});
