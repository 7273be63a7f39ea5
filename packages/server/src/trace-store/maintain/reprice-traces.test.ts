import { otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { describe, expect, it } from "vitest";
import { repriceTraces } from "./reprice-traces.ts";

const { client, db } = await boot();

const NOW = { fromMs: undefined, isDryRun: false };
const call = (model: string, fields: object = {}) =>
  span({ metadata: { model, inputTokens: 1_000_000, outputTokens: 100_000 }, ...fields });
const rule = (model: string, inputUsd: number) => ({ model, inputUsd, outputUsd: 0 });
const read = async (user: Sender, { id }: { id: string }) => (await user.get(`/api/traces/${id}`)).json;
const costs = (json: { spans: { costUsd: number | null; priceSource: string | null }[] }) =>
  json.spans.map(({ costUsd, priceSource }) => [costUsd, priceSource]);

describe("repricing", () => {
  it("applies new rules to stored traces: spans, totals and statistics; never to what was sent", async () => {
    const user = await newSender(client, db);
    const derived = trace({
      spans: [call("gpt-4o"), call("our-model"), call("gpt-4o", { costUsd: 0.25 }), span()],
    });
    const unpriced = trace({ spans: [call("our-model")] });
    const sentTotal = trace({ totalCost: 7, spans: [call("our-model")] });
    const allSent = trace({ totalCost: 1, spans: [call("gpt-4o", { costUsd: 1 })] });
    await user.send([derived, unpriced, sentTotal, allSent, trace({ spans: [span({ costUsd: 3 })] })]);
    await user.put("/api/prices", rule("our-*", 2));
    const dryRun = await repriceTraces(db, user.workspaceId, { ...NOW, isDryRun: true });
    expect((await read(user, unpriced)).totalCost).toBeNull();
    const repricing = await repriceTraces(db, user.workspaceId, NOW);
    expect(repricing).toEqual(dryRun);
    expect(repricing).toEqual({
      traces: 4,
      changedTraces: 3,
      changedSpans: 3,
      costBeforeUsd: 3.75 + 7 + 1,
      costAfterUsd: 5.75 + 2 + 7 + 1,
    });
    const one = await read(user, derived);
    expect(one).toMatchObject({ totalCost: 5.75, isCostDerived: true });
    expect(costs(one)).toEqual([
      [3.5, "openai/gpt-4o"],
      [2, "rule:our-*"],
      [0.25, "sent"],
      [null, null],
    ]);
    expect(await read(user, unpriced)).toMatchObject({ totalCost: 2, isCostDerived: true });
    expect(await read(user, sentTotal)).toMatchObject({ totalCost: 7, isCostDerived: false });
    expect(await read(user, allSent)).toMatchObject({ totalCost: 1, isCostDerived: false });
    const { models } = (await user.get("/api/stats/models?from=2026-01-01&to=2026-02-01")).json;
    expect(
      models.map((model: { model: string; priceSource: string; costUsd: number }) => [
        model.model,
        model.priceSource,
        model.costUsd,
      ]),
    ).toEqual([
      ["our-model", "rule:our-*", 6],
      ["gpt-4o", "openai/gpt-4o", 3.5],
      ["gpt-4o", "sent", 1.25],
    ]);
    expect(await repriceTraces(db, user.workspaceId, NOW)).toMatchObject({
      changedTraces: 0,
      changedSpans: 0,
    });
  });

  it("takes a cost back if its price is gone", async () => {
    const user = await newSender(client, db);
    const { id } = (await user.put("/api/prices", rule("our-*", 2))).json;
    const sent = trace({ spans: [call("our-model")] });
    await user.send([sent]);
    await user.delete(`/api/prices/${id}`);
    expect(await repriceTraces(db, user.workspaceId, NOW)).toMatchObject({
      costBeforeUsd: 2,
      costAfterUsd: 0,
    });
    const json = await read(user, sent);
    expect(json).toMatchObject({ totalCost: null, isCostDerived: false });
    expect(costs(json)).toEqual([[null, null]]);
  });

  it("leaves earlier traces alone, and takes as many transactions as it needs", async () => {
    const user = await newSender(client, db);
    const runs = Array.from({ length: 230 }, (_, n) =>
      trace({
        startedAt: n < 20 ? "2026-01-01T00:00:00Z" : "2026-01-03T00:00:00Z",
        spans: [call("our-model")],
      }),
    );
    await user.send(runs);
    await user.put("/api/prices", rule("our-*", 1));
    const fromMs = Date.parse("2026-01-02");
    expect(await repriceTraces(db, user.workspaceId, { ...NOW, fromMs })).toMatchObject({
      traces: 210,
      changedTraces: 210,
      costAfterUsd: 210,
    });
    const { total } = (await user.get("/api/stats/traces?from=2026-01-01&to=2026-01-05")).json;
    expect(total.costUsd).toBe(210);
  });

  it("of a running trace does not hide what is sent next", async () => {
    const user = await newSender(client, db);
    const spans = Array.from({ length: 5 }, () => call("our-model"));
    const running = trace({ status: "RUNNING", spans });
    await user.send([running]);
    const { id } = (await user.put("/api/prices", rule("our-*", 1))).json;
    await repriceTraces(db, user.workspaceId, NOW);
    expect((await read(user, running)).totalCost).toBe(5);
    await user.delete(`/api/prices/${id}`);
    await user.send([running]);
    const json = await read(user, running);
    expect(json.totalCost).toBeNull();
    expect(costs(json)).toEqual(spans.map(() => [null, null]));
  });

  it("also derives the cost of traces that came by OpenTelemetry again, and what comes later agrees", async () => {
    const user = await newSender(client, db);
    const id = otlpId(16);
    const attributes = (model: string, more: object = {}) => ({
      "gen_ai.operation.name": "chat",
      "gen_ai.response.model": model,
      "gen_ai.usage.input_tokens": 1_000_000,
      "gen_ai.usage.output_tokens": 100_000,
      ...more,
    });
    const root = otlpSpan(id, { "gen_ai.agent.name": "support" });
    const child = { parentSpanId: root.spanId };
    const spans = [
      root,
      otlpSpan(id, attributes("our-model", { "gen_ai.usage.cost": 0.5 }), child),
      otlpSpan(id, attributes("our-model", { "gen_ai.usage.cost": 0 }), child),
    ];
    await sendOtlp(client, user.key, spansRequest(spans));
    expect((await read(user, { id })).totalCost).toBe(0.5);
    await user.put("/api/prices", rule("our-*", 2));
    expect(await repriceTraces(db, user.workspaceId, NOW)).toMatchObject({
      changedTraces: 1,
      changedSpans: 1,
    });
    expect(await read(user, { id })).toMatchObject({ totalCost: 2.5, isCostDerived: true });
    const later = otlpSpan(id, attributes("our-model"), child);
    await sendOtlp(client, user.key, spansRequest([later]));
    const json = await read(user, { id });
    expect(json.totalCost).toBe(4.5);
    expect(await repriceTraces(db, user.workspaceId, NOW)).toMatchObject({ changedTraces: 0 });
    await user.delete(`/api/prices/${(await user.get("/api/prices")).json.rules[0].id}`);
    await repriceTraces(db, user.workspaceId, NOW);
    expect(await read(user, { id })).toMatchObject({ totalCost: 0.5, isCostDerived: false });
  });

  it("is exact while the same traces are sent again", async () => {
    const user = await newSender(client, db);
    const runs = Array.from({ length: 60 }, () => trace({ spans: [call("our-model"), call("gpt-4o")] }));
    await user.send(runs);
    await user.put("/api/prices", rule("our-*", 1));
    await Promise.all([
      repriceTraces(db, user.workspaceId, NOW),
      ...runs.slice(0, 30).map((run) => user.send([{ ...run, spans: [call("our-model")] }])),
    ]);
    const totals = await Promise.all(runs.map(async (run) => (await read(user, run)).totalCost));
    expect(totals).toEqual(runs.map((_, index) => (index < 30 ? 1 : 4.5)));
  });
});
