import { randomUUID } from "node:crypto";
import { hash32 } from "@whytrace/contract";
import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import { nanos, otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import type { DecisionFacts } from "../../decision-facts/decision-facts.ts";
import { decodeDecisionFacts, decodeDecisionPath } from "../../decision-facts/decode-decision-facts.ts";
import { refreshComputedColumns } from "../counts/refresh-computed-columns.ts";

const { client, db } = await boot();

interface StoredFacts {
  agentHash: number | null;
  facts: DecisionFacts | null;
  path: number[] | null;
}

async function factsOf({ workspaceId }: Sender, traceId: string): Promise<StoredFacts> {
  const { rows } = await sql<{ agentHash: number | null; facts: Buffer | null; path: Buffer | null }>`
    select agent_hash, decision_facts as facts, decision_path as path from traces
    where workspace_id = ${workspaceId} and id = ${traceId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("no such trace");
  const { facts, path } = row;
  return {
    agentHash: row.agentHash,
    facts: facts && decodeDecisionFacts(facts),
    path: path && decodeDecisionPath(path),
  };
}

/** The same without what depends on how a trace came: positions, and signatures, since what was posted is not inferred. */
async function comparableFactsOf(user: Sender, traceId: string) {
  const { facts, agentHash } = await factsOf(user, traceId);
  const comparable = { position: 0, signature: 0, step: 0 };
  return {
    agentHash,
    facts: { ...facts, decisions: facts?.decisions.map((one) => ({ ...one, ...comparable })) },
  };
}

const outcomesOf = async (user: Sender, traceId: string) =>
  (await factsOf(user, traceId)).facts?.decisions.map(({ outcome }) => outcome);

interface Day {
  day: string;
  changed: number;
  added: number;
  choices: Buffer | null;
}

/** The recorded days, and whether each changed with the last change of the user's traces. */
async function daysOf({ workspaceId }: Sender) {
  const { rows } = await sql<Day & { version: number }>`
    select day::text as day, changed, added, choices, version
    from decision_days join trace_totals on trace_totals.workspace_id = decision_days.workspace_id
    where decision_days.workspace_id = ${workspaceId} order by day`.execute(db);
  return rows.map(({ version, changed, ...day }) => ({ ...day, isLast: changed === version }));
}

/** As if the figures of all days had been added up. */
const addUp = ({ workspaceId }: Sender) =>
  sql`update decision_days set added = changed, choices = 'x', transitions = 'y', errors = 'z'
    where workspace_id = ${workspaceId}`.execute(db);

const failing = (overrides: object = {}) =>
  trace({
    name: "support agent 4711",
    status: "ERROR",
    tags: ["prod", "v2.3.1"],
    endedAt: "2026-01-02T03:04:07.000Z",
    spans: [
      span({ id: "root", name: "root", status: "ERROR", endedAt: "2026-01-02T03:04:07.000Z" }),
      span({
        id: "call",
        parentSpanId: "root",
        name: "call",
        status: "ERROR",
        statusMessage: "timeout after 3000 ms",
        costUsd: 0.25,
        startedAt: "2026-01-02T03:04:06.000Z",
      }),
    ],
    decisionPoints: [decision({ parentSpanId: "root" }), decision({ type: "ROUTING", chosen: "b" })],
    events: [event({ type: "ERROR", name: "gave up", timestamp: "2026-01-02T03:04:06.500Z" })],
    ...overrides,
  });

describe("facts of a trace", () => {
  it("are stored with it, and its day is recorded", async () => {
    const user = await newSender(client, db);
    const sent = failing();
    await user.send([sent, trace()]);
    const { facts, path, ...stored } = await factsOf(user, sent.id);
    expect(stored.agentHash).toBe(agentHash("support agent #"));
    expect(facts?.decisions).toMatchObject([
      { type: "TOOL_SELECTION", outcome: 3, position: 0, costUsd: 0.25, durationMs: 1_200 },
      { type: "ROUTING", outcome: 3, position: 1 },
    ]);
    expect(facts?.fingerprints).toHaveLength(3);
    expect(path).toEqual(facts?.decisions.map(({ step }) => step));
    expect(await daysOf(user)).toEqual([{ day: "2026-01-02", added: -1, choices: null, isLast: true }]);
  });

  it("are none without decisions, and no day is recorded", async () => {
    const user = await newSender(client, db);
    const sent = trace({ spans: [span()] });
    await user.send([sent]);
    expect(await factsOf(user, sent.id)).toMatchObject({ facts: null, path: null });
    expect(await daysOf(user)).toEqual([]);
  });

  it("change when the trace is sent again, and so do the days it leaves and joins", async () => {
    const user = await newSender(client, db);
    const other = await newSender(client, db);
    const sent = failing();
    await other.send([failing()]);
    await user.send([
      failing({ status: "RUNNING", id: sent.id }),
      failing({ startedAt: "2026-02-01T00:00:00Z" }),
    ]);
    expect(await outcomesOf(user, sent.id)).toEqual([4, 4]);
    await user.send([sent]);
    expect(await outcomesOf(user, sent.id)).toEqual([3, 3]);
    const last = async () => (await daysOf(user)).filter(({ isLast }) => isLast).map(({ day }) => day);
    expect(await last()).toEqual(["2026-01-02"]);
    await user.send([{ ...sent, startedAt: "2026-01-03T23:59:59.999Z" }]);
    expect(await last()).toEqual(["2026-01-02", "2026-01-03"]);
    await user.send([trace({ id: sent.id })]);
    expect(await last()).toEqual(["2026-01-03"]);
    expect(await factsOf(user, sent.id)).toMatchObject({ facts: null, path: null });
    await user.send([trace({ id: sent.id })]);
    expect(await last()).toEqual([]);
    // Nothing of another user changed.
    expect(await daysOf(other)).toMatchObject([{ isLast: true }]);
  });

  it("belong to the day in UTC", async () => {
    const user = await newSender(client, db);
    const decisionPoints = [decision()];
    await user.send([
      trace({ decisionPoints, startedAt: "2026-03-01T23:30:00-02:00" }),
      trace({ decisionPoints, startedAt: "0001-01-01T00:00:00Z" }),
      trace({ decisionPoints, startedAt: "9999-12-31T23:59:59.999Z" }),
    ]);
    expect((await daysOf(user)).map(({ day }) => day)).toEqual(["0001-01-01", "2026-03-02", "9999-12-31"]);
  });
});

const CALLS = (name: string) =>
  JSON.stringify([
    { role: "assistant", parts: [{ type: "tool_call", id: "1", name, arguments: { id: 7 } }] },
  ]);
const TOOLS = JSON.stringify(["lookup", "refund", "ask"].map((name) => ({ type: "function", name })));

/** A run whose second tool fails. */
function agentRun(traceId: string) {
  const root = otlpSpan(
    traceId,
    { "gen_ai.agent.name": "support 4711", "langfuse.trace.tags": ["v2.3.1"] },
    { name: "run", endTimeUnixNano: nanos(900), status: { code: 2, message: "gave up" } },
  );
  const call = (name: string, startMs: number, endMs: number, failure?: object) => [
    otlpSpan(
      traceId,
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.usage.input_tokens": 4_000,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.tool.definitions": TOOLS,
        "gen_ai.output.messages": CALLS(name),
      },
      {
        parentSpanId: root.spanId,
        name: "chat",
        startTimeUnixNano: nanos(startMs),
        endTimeUnixNano: nanos(startMs + 20),
      },
    ),
    otlpSpan(
      traceId,
      { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name },
      {
        parentSpanId: root.spanId,
        name: `execute_tool ${name}`,
        startTimeUnixNano: nanos(startMs + 20),
        endTimeUnixNano: nanos(endMs),
        ...failure,
      },
    ),
  ];
  const failure = {
    status: { code: 2, message: "timeout after 3000 ms" },
    events: [
      {
        name: "exception",
        timeUnixNano: nanos(400),
        attributes: otlpAttributes({ "exception.type": "TimeoutError" }),
      },
    ],
  };
  return [...call("lookup", 10, 100), ...call("refund", 200, 500, failure), ...call("ask", 600, 800), root];
}

const sendSpans = async (user: Sender, spans: object[]) => {
  const response = await sendOtlp(client, user.key, spansRequest(spans));
  expect(response.status, response.text).toBe(200);
};

/** All orders would take long: some rotations and their reverses. */
const orders = <T>(items: T[]): T[][] =>
  [0, 2, 5].flatMap((at) => {
    const rotated = [...items.slice(at), ...items.slice(0, at)];
    return [rotated, rotated.toReversed()];
  });

describe("a trace that comes by OpenTelemetry", () => {
  it("has the same facts as if it was posted", async () => {
    const user = await newSender(client, db);
    const id = otlpId(16);
    await sendSpans(user, agentRun(id));
    const facts = await comparableFactsOf(user, id);
    expect(facts.facts.decisions).toHaveLength(3);
    expect(facts.facts.decisions?.map(({ outcome }) => outcome)).toEqual([3, 3, 2]);
    expect(facts.facts.fingerprints).toHaveLength(3);
    expect(facts.facts.release).toBeGreaterThan(0);
    const posting = await newSender(client, db);
    const { json } = await user.get(`/api/traces/${id}`);
    const posted = randomUUID();
    expect((await posting.send([{ ...json, id: posted }])).status).toBe(200);
    expect(await comparableFactsOf(posting, posted)).toEqual(facts);
  });

  it("has the same facts however its spans were split and ordered, and its days are recorded", async () => {
    const whole = await newSender(client, db);
    const id = otlpId(16);
    const spans = agentRun(id);
    await sendSpans(whole, spans);
    const expected = await comparableFactsOf(whole, id);
    await whole.delete(`/api/traces/${id}`);
    for (const [index, order] of orders(spans).entries()) {
      const user = await newSender(client, db);
      for (const one of order) await sendSpans(user, [one]);
      expect(await comparableFactsOf(user, id), `order ${index}`).toEqual(expected);
      expect(await daysOf(user)).toMatchObject([{ day: "2026-01-02", isLast: true }]);
      // Positions lead to the decisions.
      const { facts } = await factsOf(user, id);
      for (const { position, type } of facts?.decisions ?? []) {
        const { rows } = await sql`
          select type from decision_points
          where workspace_id = ${user.workspaceId} and trace_id = ${id} and position = ${position}`.execute(
          db,
        );
        expect(rows).toEqual([{ type }]);
      }
      await user.delete(`/api/traces/${id}`);
    }
  });

  it("has the release, the user and the values that its service and its root say, also after it was read again", async () => {
    const user = await newSender(client, db);
    const id = otlpId(16);
    const attributes = { "case.kind": "refund", "user.id": "u-7", "gen_ai.agent.name": "support" };
    const spans = agentRun(id).map((one) =>
      one.name === "run" ? { ...one, attributes: otlpAttributes(attributes) } : one,
    );
    const service = { attributes: otlpAttributes({ "service.version": "1.4.0" }) };
    const request = { resourceSpans: [{ resource: service, scopeSpans: [{ spans }] }] };
    expect((await sendOtlp(client, user.key, request)).status).toBe(200);
    const first = (await factsOf(user, id)).facts;
    expect(first?.release).toBe(hash32("1.4.0"));
    expect(first?.cluster).toBe(hash32("user\nu-7"));
    const found = async (query: string) => (await user.get(`/api/traces?${query}`)).json.total;
    expect([await found("release=1.4.0"), await found("release=1.4.1")]).toEqual([1, 0]);
    expect([await found("metadata.case.kind=refund"), await found("metadata.case.kind=x")]).toEqual([1, 0]);
    await refreshComputedColumns(db, user.workspaceId, [id]);
    expect((await factsOf(user, id)).facts).toEqual(first);
    expect(await found("metadata.case.kind=refund")).toBe(1);
    const { json } = await user.get(
      "/api/insights/decisions?from=2026-01-02T00:00:00Z&to=2026-01-03T00:00:00Z",
    );
    expect(json.releases).toMatchObject([{ name: "1.4.0", runs: 1 }]);
  });

  it("has the facts of everything that was posted and merged into it", async () => {
    const user = await newSender(client, db);
    const id = otlpId(16);
    const rootId = otlpId(8);
    await user.send([
      trace({
        id,
        status: "ERROR",
        spans: [span({ id: rootId, name: "posted", type: "AGENT", endedAt: "2026-01-02T03:04:09.000Z" })],
        decisionPoints: [decision({ parentSpanId: rootId, timestamp: "2026-01-02T03:04:05.000Z" })],
      }),
    ]);
    expect(await outcomesOf(user, id)).toEqual([2]);
    const [chat, tool] = agentRun(id).map((one) => ({ ...one, parentSpanId: rootId }));
    await sendSpans(
      user,
      [chat, { ...tool, status: { code: 2, message: "failed" } }].flatMap((one) => one ?? []),
    );
    const merged = await comparableFactsOf(user, id);
    expect(merged.facts.decisions?.map(({ outcome }) => outcome)).toEqual([3, 3]);
    const posting = await newSender(client, db);
    const { json } = await user.get(`/api/traces/${id}`);
    const posted = randomUUID();
    await posting.send([{ ...json, id: posted }]);
    expect(await comparableFactsOf(posting, posted)).toEqual(merged);
  });
});

describe("deleting a trace", () => {
  it("records its day, deletes the day's figures and what people said about its decisions", async () => {
    const user = await newSender(client, db);
    const [first, second] = [failing(), failing({ startedAt: "2026-01-03T00:00:00Z" })];
    await user.send([first, second, trace({ startedAt: "2026-01-03T00:00:00Z" })]);
    await addUp(user);
    for (const { id } of [first, second])
      await sql`
        insert into verdicts (workspace_id, trace_id, decision_point_id, verdict, agent_hash, signature, step)
        values (${user.workspaceId}, ${id}, 'd', 'right', 1, 2, 3)`.execute(db);
    await user.delete(`/api/traces/${first.id}`);
    expect(await daysOf(user)).toMatchObject([
      { day: "2026-01-02", added: -1, choices: null, isLast: true },
      { day: "2026-01-03", choices: Buffer.from("x"), isLast: false },
    ]);
    const { rows } =
      await sql`select trace_id from verdicts where workspace_id = ${user.workspaceId}`.execute(db);
    expect(rows).toEqual([{ traceId: second.id }]);
  });
});

it("gives a day a new version whenever its facts change, as seen by any snapshot, while others write", async () => {
  const user = await newSender(client, db);
  const ids = Array.from({ length: 6 }, () => randomUUID());
  const writing = ids.map(async (id, writer) => {
    for (let round = 0; round < 12; round++) {
      if (round % 4 === 3) await user.delete(`/api/traces/${id}`);
      else
        await user.send([
          failing({
            id,
            startedAt: `2026-05-0${1 + ((round + writer) % 3)}T00:00:00Z`,
            tags: [`v1.${round}`],
          }),
        ]);
    }
  });
  const seen = new Map<string, string>();
  let isWriting = true;
  const reading = (async () => {
    while (isWriting) {
      const { rows } = await sql<{ key: string; facts: string }>`
        select day || ' ' || changed as key, (
          select string_agg(id || encode(decision_facts, 'hex'), ',' order by id) from traces
          where traces.workspace_id = ${user.workspaceId} and (started_at at time zone 'utc')::date = day) as facts
        from decision_days where workspace_id = ${user.workspaceId}`.execute(db);
      for (const { key, facts } of rows) {
        expect(seen.get(key) ?? facts, key).toEqual(facts);
        void seen.set(key, facts);
      }
    }
  })();
  await Promise.all(writing);
  isWriting = false;
  await reading;
  expect(seen.size).toBeGreaterThan(3);
});
