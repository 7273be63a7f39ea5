import { fastestMs } from "@whytrace/testing/least-of.ts";
import { decision, event, newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const RANGE = "?from=2026-03-01T00:00:00Z&to=2026-03-08T00:00:00Z";
const at = (time: string) => `2026-03-${time}Z`;

describe("GET /api/stats/traces", () => {
  it("aggregates traces by the UTC day of their start, including days without traces", async () => {
    const user = await newSender(client, db);
    await user.send([
      trace({ startedAt: at("01T00:00:00.000"), totalCost: 0.5, totalTokens: 10, totalDuration: 100 }),
      trace({ startedAt: at("01T23:59:59.999"), status: "ERROR", totalCost: 0.25, totalDuration: 300 }),
      trace({ startedAt: at("03T12:00:00.000"), status: "RUNNING" }),
      trace({ startedAt: at("08T00:00:00.000"), totalCost: 99 }),
    ]);
    const { json } = expectStatus(await user.get(`/api/stats/traces${RANGE}`), 200);
    expect(json).toMatchObject({ interval: "day", from: at("01T00:00:00.000"), to: at("08T00:00:00.000") });
    expect(json.buckets).toHaveLength(7);
    expect(json.buckets[0]).toEqual({
      start: at("01T00:00:00.000"),
      traces: { RUNNING: 0, COMPLETED: 1, ERROR: 1 },
      outcomes: { good: 1, bad: 1, unknown: 0, open: 0 },
      costUsd: 0.75,
      tokens: 10,
      durationP50Ms: 100,
      durationP95Ms: 300,
      durationP99Ms: 300,
    });
    expect(json.buckets[1]).toMatchObject({ traces: { COMPLETED: 0 }, costUsd: null, durationP50Ms: null });
    expect(json.buckets[2]).toMatchObject({ traces: { RUNNING: 1 }, costUsd: null, tokens: null });
    expect(json.total).toMatchObject({ traces: { RUNNING: 1, COMPLETED: 1, ERROR: 1 }, costUsd: 0.75 });
    expect(json.before).toMatchObject({ traces: { RUNNING: 0, COMPLETED: 0, ERROR: 0 }, costUsd: null });
  });

  it("returns nearest-rank percentiles, and the preceding time range for comparison", async () => {
    const user = await newSender(client, db);
    await user.send([
      ...Array.from({ length: 100 }, (_, index) =>
        trace({ startedAt: at("02T10:00:00.000"), totalDuration: index + 1 }),
      ),
      trace({ startedAt: "2026-02-27T10:00:00.000Z", totalDuration: 7, totalCost: 2 }),
    ]);
    const { json } = await user.get(`/api/stats/traces${RANGE}`);
    expect(json.total).toMatchObject({ durationP50Ms: 50, durationP95Ms: 95, durationP99Ms: 99 });
    expect(json.before).toMatchObject({ traces: { COMPLETED: 1 }, durationP50Ms: 7, costUsd: 2 });
  });

  it("gives a sum that exceeds the range of a number as its limit, and the other sums as they are", async () => {
    const user = await newSender(client, db);
    await user.send([
      trace({ startedAt: at("01T01:00:00.000"), totalCost: 1.7e308, totalTokens: 10 }),
      trace({ startedAt: at("01T02:00:00.000"), totalCost: 1.7e308, totalTokens: 5e-324 }),
      trace({ startedAt: at("02T01:00:00.000"), totalTokens: -1.7e308 }),
      trace({ startedAt: at("02T02:00:00.000"), totalTokens: -1.7e308 }),
      trace({ startedAt: at("03T01:00:00.000"), totalCost: 0.5, totalTokens: 3 }),
    ]);
    const { json } = expectStatus(await user.get(`/api/stats/traces${RANGE}`), 200);
    expect(json.buckets[0]).toMatchObject({ costUsd: Number.MAX_VALUE, tokens: 10 });
    expect(json.buckets[1]).toMatchObject({ costUsd: null, tokens: -Number.MAX_VALUE });
    expect(json.buckets[2]).toMatchObject({ costUsd: 0.5, tokens: 3 });
    expect(json.total).toMatchObject({ costUsd: Number.MAX_VALUE, tokens: -Number.MAX_VALUE });
  });

  it("has hourly buckets for up to three days, extended to whole hours", async () => {
    const user = await newSender(client, db);
    const { json } = await user.get("/api/stats/traces?from=2026-03-01T10:20:00Z&to=2026-03-01T12:20:00Z");
    expect(json.buckets.map(({ start }: { start: string }) => start)).toEqual([
      at("01T10:00:00.000"),
      at("01T11:00:00.000"),
      at("01T12:00:00.000"),
    ]);
  });

  it.each([
    ["negative", "?from=2026-03-02&to=2026-03-01"],
    ["empty", "?from=2026-03-02&to=2026-03-02"],
    ["of more than 400 days", "?from=2024-01-01&to=2026-03-01"],
  ])("rejects a time range that is %s", async (_, query) => {
    const user = await newSender(client, db);
    for (const kind of ["traces", "models", "errors", "choices"]) {
      const { json } = expectStatus(await user.get(`/api/stats/${kind}${query}`), 400);
      expect(json.error).toBe("Invalid range. from must be before to, by at most 400 days.");
    }
  });

  it.each([
    "?from=0001-01-01&to=0001-02-01",
    "?to=0001-01-02",
    "?from=9999-12-30&to=9999-12-31T23:59:59.999Z",
  ])("rejects %s, where the range before or after has no four-digit year", async (query) => {
    const user = await newSender(client, db);
    for (const kind of ["traces", "errors", "choices"]) {
      const { json } = expectStatus(await user.get(`/api/stats/${kind}${query}`), 400);
      expect(json.error).toBe("Invalid range. It must lie between the years 1000 and 9998.");
    }
    expectStatus(await user.get("/api/stats/traces?from=1000-01-01&to=1000-01-02"), 200);
    expectStatus(await user.get("/api/stats/choices?from=9998-12-01&to=9999-01-01"), 200);
  });

  it("covers the last seven days by default", async () => {
    const user = await newSender(client, db);
    await user.send([trace({ startedAt: new Date().toISOString() })]);
    const { json } = await user.get("/api/stats/traces");
    expect(json.interval).toBe("day");
    expect(json.buckets).toHaveLength(8);
    expect(json.total.traces.COMPLETED).toBe(1);
  });
});

describe("GET /api/stats/models", () => {
  const call = (model: string, metadata: object = {}, fields: object = {}) =>
    span({ metadata: { model, inputTokens: 1_000, outputTokens: 100, ...metadata }, ...fields });
  const run = (...spans: unknown[]) => trace({ startedAt: at("02T10:00:00.000"), spans });

  it("sums tokens and cost by model and price, the costliest first; each call once", async () => {
    const user = await newSender(client, db);
    await user.send([
      run(
        span({ id: "agent", type: "AGENT" }),
        call("gpt-4o", { cacheReadTokens: 400, reasoningTokens: 50 }, { id: "outer", parentSpanId: "agent" }),
        call("gpt-4o", { cacheReadTokens: 400, reasoningTokens: 50 }, { id: "inner", parentSpanId: "outer" }),
        call("our-model"),
      ),
      run(call("gpt-4o"), call("gpt-4o", {}, { costUsd: 1 })),
      trace({ startedAt: at("09T10:00:00.000"), spans: [call("gpt-4o")] }),
      run(span()),
    ]);
    const { json } = expectStatus(await user.get(`/api/stats/models${RANGE}`), 200);
    const sums = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    const one = { ...sums, traces: 1, calls: 1, inputTokens: 1_000, outputTokens: 100 };
    expect(json.models).toEqual([
      { ...one, model: "gpt-4o", priceSource: "sent", costUsd: 1 },
      {
        ...sums,
        model: "gpt-4o",
        priceSource: "openai/gpt-4o",
        traces: 2,
        calls: 2,
        inputTokens: 2_000,
        outputTokens: 200,
        cacheReadTokens: 400,
        reasoningTokens: 50,
        costUsd: expect.closeTo(0.0065, 12),
      },
      { ...one, model: "our-model", priceSource: null, costUsd: null },
    ]);
  });

  it("gives filters that list the traces of a model; the list says the models if it is asked to", async () => {
    const user = await newSender(client, db);
    const [one, other] = [run(call("gpt-4o"), call("our-model")), run(call("gpt-4o-mini"))];
    await user.send([one, other, run(span())]);
    const { json } = await user.get("/api/traces?model=gpt-4o&include=models");
    expect(json).toMatchObject({ total: 1, traces: [{ id: one.id, models: ["gpt-4o", "our-model"] }] });
    const { json: all } = await user.get("/api/traces?include=models");
    expect(all.total).toBe(3);
    expect(all.traces.map(({ models }: { models: string[] }) => models.length).sort()).toEqual([0, 1, 2]);
    expect((await user.get("/api/traces?model=gpt")).json.total).toBe(0);
    expectStatus(await user.get("/api/traces?include=spans"), 400);
  });
});

const failed = (name: string, statusMessage: string | undefined, startedAt = at("02T10:00:00.000")) =>
  span({ name, statusMessage, startedAt, status: "ERROR" });

describe("GET /api/stats/errors", () => {
  it("ranks failed spans by name and message and ERROR events by name, by the traces they are in", async () => {
    const user = await newSender(client, db);
    const last = trace({
      spans: [failed("refund_api", "409 already refunded", at("05T10:00:00.000"))],
      events: [event({ type: "ERROR", name: "card declined", timestamp: at("05T10:00:00.000") }), event()],
    });
    await user.send([
      trace({ spans: [failed("refund_api", "409 already refunded"), failed("refund_api", "timeout")] }),
      trace({ spans: [failed("refund_api", "409 already refunded"), span(), failed("search", undefined)] }),
      last,
      trace({ spans: [failed("refund_api", "409 already refunded", at("09T10:00:00.000"))] }),
    ]);
    const { json } = expectStatus(await user.get(`/api/stats/errors${RANGE}`), 200);
    expect(json.errors[0]).toEqual({
      name: "refund_api",
      message: "409 already refunded",
      count: 3,
      traces: 3,
      lastAt: at("05T10:00:00.000"),
      lastTraceId: last.id,
    });
    expect(
      json.errors.slice(1).map(({ name, message }: { name: string; message: string }) => [name, message]),
    ).toEqual([
      ["card declined", null],
      ["refund_api", "timeout"],
      ["search", null],
    ]);
  });

  it("lists an error once that the spans around the failed one repeat, by the name of the failed one", async () => {
    const user = await newSender(client, db);
    const repeated = ["invoke_agent", "step", "refund_api"].map((name, index) =>
      failed(name, "409 already refunded", at(`02T10:00:0${index}.000`)),
    );
    const other = trace({ spans: [failed("step", "409 already refunded")] });
    await user.send([trace({ spans: repeated }), other]);
    const { errors } = (await user.get(`/api/stats/errors${RANGE}`)).json;
    expect(errors).toMatchObject([
      { name: "refund_api", message: "409 already refunded", count: 4, traces: 2 },
    ]);
    const { json } = await user.get("/api/traces?errorMessage=409%20already%20refunded");
    expect(json.total).toBe(2);
    const named = await user.get("/api/traces?error=refund_api&errorMessage=409%20already%20refunded");
    expect(named.json.total).toBe(1);
  });

  it("gives filters that list the traces of an error", async () => {
    const user = await newSender(client, db);
    const long = `${"x".repeat(250)} y`;
    const one = trace({ spans: [failed("refund_api", long)] });
    const other = trace({ spans: [failed("refund_api", "timeout")] });
    const third = trace({ events: [event({ type: "ERROR", name: "card declined" })] });
    await user.send([one, other, third, trace({ spans: [span({ name: "refund_api" })] })]);
    const ids = async (query: Record<string, string>) =>
      (await user.get(`/api/traces?${new URLSearchParams(query)}`)).json.traces.map(
        ({ id }: { id: string }) => id,
      );
    const { errors } = (await user.get(`/api/stats/errors${RANGE}`)).json;
    const first = errors.find(({ message }: { message: string | null }) => message?.startsWith("x"));
    expect(first.message).toHaveLength(200);
    expect(await ids({ error: "refund_api", errorMessage: first.message })).toEqual([one.id]);
    expect((await ids({ error: "refund_api" })).sort()).toEqual([one.id, other.id].sort());
    expect(await ids({ error: "card declined" })).toEqual([third.id]);
  });
});

describe("GET /api/stats/choices", () => {
  it("takes time in proportion to the failed traces, also before PostgreSQL knows how many there are", async () => {
    const user = await newSender(client, db);
    const startedAt = at("02T10:00:00.000");
    const failed = Array.from({ length: 1_500 }, (_, index) =>
      trace({
        startedAt,
        status: "ERROR",
        decisionPoints: Array.from({ length: 8 }, () =>
          decision({ timestamp: startedAt, chosen: `option ${index % 100}` }),
        ),
      }),
    );
    for (let first = 0; first < failed.length; first += 500)
      expectStatus(await user.send(failed.slice(first, first + 500)), 200);
    const read = async () => expectStatus(await user.get(`/api/stats/choices${RANGE}`), 200);
    expect(await fastestMs(1_000, read)).toBeLessThan(1_000);
    const { json } = await read();
    expect(json.choices[0]).toMatchObject({ count: 120, failed: 120 });
  });

  const chose = (choice: unknown, timestamp = at("02T10:00:00.000"), type = "TOOL_SELECTION") =>
    decision({ chosen: choice, timestamp, type });
  const run = (status: string, ...decisionPoints: unknown[]) =>
    trace({ status, startedAt: at("02T09:00:00.000"), decisionPoints });

  it("counts how often a choice was made and how often its trace failed, by the choice's name", async () => {
    const user = await newSender(client, db);
    await user.send([
      run("ERROR", chose({ name: "refund_api", amount: 1 }), chose("ask_human", undefined, "ESCALATION")),
      run("ERROR", chose({ tool: "refund_api", amount: 2 })),
      run("COMPLETED", chose("refund_api"), chose("ask_human", undefined, "ESCALATION")),
      run("COMPLETED", chose("search")),
      run("ERROR", chose("refund_api", at("09T10:00:00.000"))),
    ]);
    const { json } = expectStatus(await user.get(`/api/stats/choices${RANGE}`), 200);
    expect(json.choices).toEqual([
      { type: "TOOL_SELECTION", choice: "refund_api", count: 3, failed: 2 },
      { type: "ESCALATION", choice: "ask_human", count: 2, failed: 1 },
    ]);
  });

  it("counts options that were chosen together under their joined name", async () => {
    const user = await newSender(client, db);
    const together = chose(["search", "search", "refund_api"]);
    await user.send([run("ERROR", together), run("ERROR", together)]);
    const { json } = await user.get(`/api/stats/choices${RANGE}`);
    const choice = "search ×2 + refund_api";
    expect(json.choices).toEqual([{ type: "TOOL_SELECTION", choice, count: 2, failed: 2 }]);
    const { json: listed } = await user.get(`/api/traces?choice=${encodeURIComponent(choice)}`);
    expect(listed.total).toBe(2);
  });

  it("uses the new status of a trace that is sent again", async () => {
    const user = await newSender(client, db);
    const sent = run("ERROR", chose("refund_api"));
    await user.send([sent]);
    await user.send([{ ...sent, status: "COMPLETED" }]);
    expect((await user.get(`/api/stats/choices${RANGE}`)).json.choices).toEqual([]);
  });

  it("accepts any JSON as a choice: escapes, NUL, lone surrogates, long and deep values", async () => {
    const user = await newSender(client, db);
    const choices = [
      "na\u0000me",
      "\ud800",
      { name: "caf\u00e9" },
      [1, { a: [2] }],
      12.5,
      false,
      { name: "n".repeat(5_000) },
      { x: "long ".repeat(2_000) },
      {},
    ];
    expectStatus(await user.send([run("ERROR", ...choices.map((one) => chose(one)))]), 200);
    const names = (await user.get(`/api/stats/choices${RANGE}`)).json.choices.map(
      ({ choice }: { choice: string }) => choice,
    );
    expect(names).toHaveLength(choices.length);
    expect(names).toEqual(expect.arrayContaining(["name", "café", "12.5", "false", "{}", '[1,{"a":[2]}]']));
    for (const name of names) expect(name.length).toBeLessThanOrEqual(200);
  });

  it("gives filters that list the traces of a choice, by status and start", async () => {
    const user = await newSender(client, db);
    const behind = run("ERROR", chose({ name: "refund_api" }));
    await user.send([
      behind,
      run("COMPLETED", chose("refund_api")),
      run("ERROR", chose("refund_api", undefined, "ROUTING")),
      trace({ status: "ERROR", startedAt: at("09T09:00:00.000"), decisionPoints: [chose("refund_api")] }),
    ]);
    const { json } = await user.get(
      "/api/traces?choice=refund_api&choiceType=TOOL_SELECTION&status=ERROR&startedFrom=2026-03-01&startedTo=2026-03-08",
    );
    expect(json.traces.map(({ id }: { id: string }) => id)).toEqual([behind.id]);
    expect(json.total).toBe(1);
  });
});

it("does not include traces of another user", async () => {
  const [one, other] = [await newSender(client, db), await newSender(client, db)];
  await one.send([
    trace({
      status: "ERROR",
      startedAt: at("02T10:00:00.000"),
      spans: [failed("secret", "secret"), span({ metadata: { model: "secret", inputTokens: 1 } })],
      decisionPoints: [decision({ chosen: "secret", timestamp: at("02T10:00:00.000") })],
    }),
  ]);
  expect((await other.get(`/api/stats/traces${RANGE}`)).json.total.traces.ERROR).toBe(0);
  expect((await other.get(`/api/stats/errors${RANGE}`)).json.errors).toEqual([]);
  expect((await other.get(`/api/stats/choices${RANGE}`)).json.choices).toEqual([]);
  expect((await other.get(`/api/stats/models${RANGE}`)).json.models).toEqual([]);
  expect((await other.get("/api/traces?model=secret")).json.total).toBe(0);
  expect((await other.get("/api/traces?error=secret")).json.total).toBe(0);
  expect((await other.get("/api/traces?choice=secret")).json.total).toBe(0);
});
