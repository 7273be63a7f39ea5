import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import {
  logsRequest,
  nanos,
  type OtlpSpanJson,
  otlpId,
  otlpSpan,
  sendOtlp,
  spansRequest,
} from "@whytrace/testing/otlp/sample-otlp.ts";
import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import type { TestResponse } from "@whytrace/testing/server/client.ts";
import { type RawBuilder, sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db, databaseUrl } = await boot();
const other = await boot({ DATABASE_URL: databaseUrl });

const CHAT = {
  "gen_ai.operation.name": "chat",
  "gen_ai.usage.input_tokens": 40,
  "gen_ai.usage.output_tokens": 2,
};
const CALLS = JSON.stringify([
  { role: "assistant", parts: [{ type: "tool_call", id: "1", name: "lookup", arguments: { id: 7 } }] },
]);

const send = async (user: Sender, spans: OtlpSpanJson[], server = client) => {
  const response = await sendOtlp(server, user.key, spansRequest(spans));
  expect(response.status, response.text).toBe(200);
  expect(response.json).toEqual({});
};
const read = async (user: Sender, id: string) => {
  const response = await user.get(`/api/traces/${id}`);
  expect(response.status, response.text).toBe(200);
  return response.json;
};
const rowsOf = async (table: string, traceId: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)} where trace_id = ${traceId}`.execute(db);
  return rows[0]?.count;
};

/** An agent with many model calls, each of which calls a tool. */
function agentRun(traceId: string, calls: number): OtlpSpanJson[] {
  const root = otlpSpan(traceId, { "gen_ai.agent.name": "support" }, { name: "run" });
  const children = Array.from({ length: calls }, (_, n) =>
    otlpSpan(
      traceId,
      { ...CHAT, "gen_ai.output.messages": CALLS, n, text: `${n} ${"lorem ipsum ".repeat(20)}` },
      {
        parentSpanId: root.spanId,
        startTimeUnixNano: nanos(n),
        endTimeUnixNano: nanos(n + 1),
        events: [{ name: "note", timeUnixNano: nanos(n), attributes: otlpAttributes({ n }) }],
      },
    ),
  );
  return [...children, root];
}

const shuffled = <T>(items: T[], seed: number): T[] =>
  items
    .map((item, index) => ({ item, key: Math.sin(seed * 1_000 + index * 7.13) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

/** What is the same however a trace came. The order of its children is not. */
function canonical({ createdAt: _createdAt, userId: _userId, ...stored }: TestResponse["json"]) {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  for (const kind of ["spans", "decisionPoints", "events"]) stored[kind].sort(byId);
  return stored;
}

describe("a trace that comes in pieces", () => {
  it("is the same in any order, split in any way, repeated, and over two servers", {
    timeout: 90_000,
  }, async () => {
    const whole = await newSender(client, db);
    const id = otlpId(16);
    const spans = agentRun(id, 12);
    await send(whole, spans);
    const expected = canonical(await read(whole, id));
    expect(expected).toMatchObject({ status: "COMPLETED", totalTokens: 12 * 42, name: "support" });
    expect(expected.decisionPoints).toHaveLength(12);
    expect(expected.events).toHaveLength(12);
    await whole.delete(`/api/traces/${id}`);

    for (let seed = 1; seed <= 6; seed += 1) {
      const user = await newSender(client, db);
      const pieces = shuffled([...spans, ...spans.slice(0, 5)], seed);
      const size = seed % 3 === 0 ? 4 : 1;
      const sends: Promise<void>[] = [];
      for (let at = 0; at < pieces.length; at += size) {
        const sent = send(user, pieces.slice(at, at + size), at % 2 === 0 ? client : other.client);
        if (seed % 2 === 0) sends.push(sent);
        else await sent;
      }
      await Promise.all(sends);
      expect(canonical(await read(user, id)), `seed ${seed}`).toEqual(expected);
      expect((await user.get("/api/billing")).json.sessionsUsed).toBe(1);
      await user.delete(`/api/traces/${id}`);
    }
  });

  it("keeps every payload while its small parts are packed together", async () => {
    const user = await newSender(client, db);
    const id = otlpId(16);
    const spans = agentRun(id, 60);
    for (const one of spans) await send(user, [one]);
    const stored = await read(user, id);
    for (const { attributes: sent, spanId } of spans.slice(0, -1)) {
      const text = sent.find(({ key }) => key === "text")?.value;
      const found = stored.spans.find((one: { id: string }) => one.id === spanId);
      expect(JSON.stringify(found.metadata)).toContain(Object.values(text ?? {})[0]);
    }
    expect(await rowsOf("trace_payloads", id)).toBeLessThanOrEqual(4);
    expect(await rowsOf("otlp_parts", id)).toBeLessThanOrEqual(17);
  });

  it("has its totals after a moment, however many spans it has", async () => {
    const user = await newSender(client, db);
    const id = otlpId(16);
    const spans = agentRun(id, 700);
    const root = spans.pop();
    for (let at = 0; at < spans.length; at += 50) await send(user, spans.slice(at, at + 50));
    if (root) await send(user, [root]);
    const late = otlpSpan(id, CHAT, { parentSpanId: root?.spanId });
    await send(user, [late]);
    await expect.poll(async () => (await read(user, id)).totalTokens, { interval: 200 }).toBe(701 * 42);
    const stored = await read(user, id);
    expect(stored.spans).toHaveLength(702);
    expect(stored.decisionPoints).toHaveLength(700);
  });

  it("has decision points that are found by its name when its root has come, or when none comes", async () => {
    const user = await newSender(client, db);
    const [first, second] = [otlpId(16), otlpId(16)];
    const found = async (search: string) =>
      (await user.get(`/api/decisions?search=${search}`)).json.decisions.map(
        (decision: { traceId: string }) => decision.traceId,
      );
    const call = (traceId: string, name: string, startMs: number) =>
      otlpSpan(
        traceId,
        { ...CHAT, "gen_ai.output.messages": CALLS },
        { name, parentSpanId: "00000000000000aa", startTimeUnixNano: nanos(startMs) },
      );
    for (const id of [first, second])
      for (const one of [call(id, "guessed", 50), call(id, "corrected", 20)]) await send(user, [one]);
    expect((await read(user, first)).name).toBe("corrected");
    expect(await found("guessed")).toHaveLength(4);
    expect(await found("corrected")).toEqual([]);

    await send(user, [otlpSpan(first, {}, { spanId: "00000000000000aa", name: "rooted" })]);
    expect(await found("rooted")).toEqual([first, first]);
    expect(await found("guessed")).toEqual([second, second]);
    await sql`update traces set derive_after = now() where id = ${second} and derive_after is not null`.execute(
      db,
    );
    await expect.poll(() => found("corrected")).toEqual([second, second]);
    expect(await found("guessed")).toEqual([]);
  });

  // It watches the locks of one server.
  it.skipIf(isDistributed)(
    "is not derived again by a worker that waited while its spans were stored",
    async () => {
      const user = await newSender(client, db);
      const id = otlpId(16);
      await send(user, agentRun(id, 1).slice(0, 1));
      const version = async () =>
        (await sql`select version from trace_totals where workspace_id = ${user.workspaceId}`.execute(db))
          .rows[0];
      const others = async (condition: RawBuilder<unknown>) =>
        (
          await sql`
          select from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and ${condition}`.execute(db)
        ).rows.length;
      const waiting = () => others(sql`wait_event_type = 'Lock' and query like '%for update of traces%'`);
      // Late enough for the lock to be taken before.
      await sql`update traces set derive_after = now() + interval '5 s' where id = ${id}`.execute(db);
      const before = await version();
      await db.transaction(async (trx) => {
        await sql`select from traces where id = ${id} for update`.execute(trx);
        await expect.poll(waiting).toBeGreaterThan(0);
        await sql`update traces set derive_after = null where id = ${id}`.execute(trx);
      });
      await expect.poll(() => others(sql`xact_start is not null`)).toBe(0);
      expect(await version()).toEqual(before);
    },
  );

  it("leaves nothing behind when it is deleted or replaced", async () => {
    const user = await newSender(client, db);
    const id = otlpId(16);
    await send(user, agentRun(id, 3));
    expect(await rowsOf("otlp_parts", id)).toBe(1);
    await user.send([trace({ id, spans: [span()] })]);
    expect(await rowsOf("otlp_parts", id)).toBe(0);
    expect(await rowsOf("spans", id)).toBe(1);
    await send(user, agentRun(id, 3));
    await user.delete(`/api/traces/${id}`);
    for (const table of ["otlp_parts", "spans", "decision_points", "events", "trace_payloads"])
      expect(await rowsOf(table, id), table).toBe(0);
  });
});

it("the cost of calls is computed from all pieces, with the user's own prices first", async () => {
  const user = await newSender(client, db);
  const id = otlpId(16);
  const root = otlpSpan(id, { "gen_ai.agent.name": "support" });
  const call = (model: string) =>
    otlpSpan(
      id,
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": model,
        "gen_ai.usage.input_tokens": 1_000,
        "gen_ai.usage.output_tokens": 100,
      },
      { parentSpanId: root.spanId },
    );
  await user.request("PUT", "/api/prices", {
    body: {
      model: "our-model",
      inputUsd: 1,
      outputUsd: 10,
      cacheReadUsd: null,
      cacheWriteUsd: null,
      validFrom: null,
    },
  });
  for (const piece of [call("gpt-4o"), call("our-model"), call("gpt-4o"), root]) await send(user, [piece]);
  const stored = await read(user, id);
  expect(stored).toMatchObject({
    totalCost: 0.009,
    isCostDerived: true,
    models: expect.arrayContaining(["gpt-4o", "our-model"]),
  });
  expect(stored.spans.map((one: { priceSource: string | null }) => one.priceSource)).toEqual([
    "openai/gpt-4o",
    "rule:our-model",
    "openai/gpt-4o",
    null,
  ]);
});

describe("log records", () => {
  const messages = (traceId: string, spanId: string) =>
    logsRequest([
      {
        timeUnixNano: nanos(1),
        traceId,
        spanId,
        eventName: "gen_ai.client.inference.operation.details",
        attributes: otlpAttributes({
          "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"hello?"}]}]',
          "gen_ai.output.messages": CALLS,
        }),
      },
    ]);

  it("complete their span, whichever comes first and also if both come at once", async () => {
    const user = await newSender(client, db);
    const runs = Array.from({ length: 30 }, () => otlpSpan(otlpId(16), CHAT));
    await Promise.all(
      runs.flatMap((one, n) => {
        const log = () =>
          sendOtlp(n % 2 ? client : other.client, user.key, messages(one.traceId, one.spanId), "logs");
        return n % 3 === 0 ? [log(), send(user, [one])] : [send(user, [one]), log()];
      }),
    );
    for (const { traceId } of runs) {
      const { spans, decisionPoints } = await read(user, traceId);
      expect(JSON.stringify([spans[0].input, spans[0].output])).toMatch(/hello\?.*lookup/);
      expect(decisionPoints).toHaveLength(1);
      expect(decisionPoints[0]).toMatchObject({ inferred: true, alternativesKnown: false });
    }
  });

  it("complete the span of a tool that they name by its call, whichever comes first", async () => {
    const user = await newSender(client, db);
    for (const isLogFirst of [true, false]) {
      const root = otlpSpan(otlpId(16), { "span.type": "interaction" });
      const tool = otlpSpan(
        root.traceId,
        { "span.type": "tool", tool_name: "Read", tool_use_id: "toolu_1" },
        { parentSpanId: root.spanId },
      );
      const log = logsRequest([
        {
          timeUnixNano: nanos(1),
          traceId: root.traceId,
          spanId: root.spanId,
          body: { stringValue: "claude_code.tool_result" },
          attributes: otlpAttributes({ tool_use_id: "toolu_1", tool_input: '{"file_path":"a.ts"}' }),
        },
      ]);
      if (isLogFirst) await sendOtlp(client, user.key, log, "logs");
      await send(user, [tool]);
      await send(user, [root]);
      if (!isLogFirst) await sendOtlp(client, user.key, log, "logs");
      const { spans } = await read(user, root.traceId);
      expect(spans.map(({ input }: { input: unknown }) => input)).toEqual([{ file_path: "a.ts" }, null]);
    }
  });

  it("of evaluators that failed are events of their span, once, whenever they come", async () => {
    const user = await newSender(client, db);
    const one = otlpSpan(otlpId(16), CHAT);
    const failure = { "gen_ai.evaluation.name": "relevance", "error.type": "timeout" };
    const result = (ms: number) =>
      logsRequest([
        {
          timeUnixNano: nanos(ms),
          traceId: one.traceId,
          spanId: one.spanId,
          eventName: "gen_ai.evaluation.result",
          attributes: otlpAttributes(failure),
        },
      ]);
    const log = (ms: number) => sendOtlp(client, user.key, result(ms), "logs");
    await log(1);
    await send(user, [one]);
    for (const ms of [2, 1, 2]) expect((await log(ms)).json).toEqual({});
    await send(user, [one]);
    const { events } = await read(user, one.traceId);
    const wanted = {
      spanId: one.spanId,
      type: "CUSTOM",
      name: "gen_ai.evaluation.result",
      metadata: failure,
      timestamp: expect.any(String),
    };
    expect(events.map(({ id: _id, ...event }: { id: string }) => event)).toEqual([wanted, wanted]);
    expect(await rowsOf("events", one.traceId)).toBe(2);
  });

  it("do not wait for ever, and not for another user's trace", async () => {
    const [user, thief] = [await newSender(client, db), await newSender(client, db)];
    const one = otlpSpan(otlpId(16), CHAT);
    await sendOtlp(client, thief.key, messages(one.traceId, one.spanId), "logs");
    await send(user, [one]);
    expect((await read(user, one.traceId)).spans[0].input).toBeNull();
  });
});
