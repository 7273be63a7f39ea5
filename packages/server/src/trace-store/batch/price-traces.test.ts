import { randomBytes } from "node:crypto";
import { otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const call = (fields: object = {}, metadata: object = {}) =>
  span({ metadata: { model: "gpt-4o", inputTokens: 1_000, outputTokens: 100, ...metadata }, ...fields });
/** gpt-4o costs 2.50 and 10 US dollars per million tokens. */
const CALL_USD = 0.0035;

describe("a model call without a cost", () => {
  it("gets the cost of its tokens, says whose price was used, and makes up the cost of its trace", async () => {
    const user = await newSender(client, db);
    const sent = trace({ spans: [call({ id: "a" }), call({ id: "b" }), span({ id: "c" })] });
    expectStatus(await user.send([sent]), 200);
    const { json } = expectStatus(await user.get(`/api/traces/${sent.id}`), 200);
    expect(json).toMatchObject({ totalCost: 2 * CALL_USD, isCostDerived: true, models: ["gpt-4o"] });
    expect(json.spans[0]).toMatchObject({
      costUsd: CALL_USD,
      model: "gpt-4o",
      inputTokens: 1_000,
      outputTokens: 100,
      cacheReadTokens: null,
      priceSource: "openai/gpt-4o",
    });
    expect(json.spans[2]).toMatchObject({ costUsd: null, model: null, priceSource: null });
  });

  it("keeps what was sent: a cost of a span, zero included, and the cost of the trace", async () => {
    const user = await newSender(client, db);
    const sent = trace({
      totalCost: 9,
      spans: [call({ costUsd: 0.25 }), call({ costUsd: 0 }), call()],
    });
    expectStatus(await user.send([sent]), 200);
    const { json } = await user.get(`/api/traces/${sent.id}`);
    expect(json).toMatchObject({ totalCost: 9, isCostDerived: false });
    expect(
      json.spans.map((one: { costUsd: number; priceSource: string }) => [one.costUsd, one.priceSource]),
    ).toEqual([
      [0.25, "sent"],
      [0, "sent"],
      [CALL_USD, "openai/gpt-4o"],
    ]);
  });

  it("has no cost if its model has no price, and neither has its trace", async () => {
    const user = await newSender(client, db);
    const sent = trace({ spans: [call({}, { model: "our-own-model" })] });
    expectStatus(await user.send([sent]), 200);
    const { json } = await user.get(`/api/traces/${sent.id}`);
    expect(json).toMatchObject({ totalCost: null, isCostDerived: false, models: ["our-own-model"] });
    expect(json.spans[0]).toMatchObject({ costUsd: null, model: "our-own-model", priceSource: null });
  });

  it("counts once in its trace, although its parents repeat it", async () => {
    const user = await newSender(client, db);
    const sent = trace({
      spans: [
        span({ id: "agent", type: "AGENT", costUsd: 0.001 }),
        call({ id: "outer", parentSpanId: "agent" }),
        call({ id: "inner", parentSpanId: "outer" }),
        call({ id: "later", parentSpanId: "agent" }),
      ],
    });
    expectStatus(await user.send([sent]), 200);
    expect((await user.get(`/api/traces/${sent.id}`)).json.totalCost).toBe(2 * CALL_USD);
    const { rows } = await sql<{ modelCosts: object[] }>`
      select model_costs from traces where workspace_id = ${user.workspaceId}`.execute(db);
    expect(rows[0]?.modelCosts).toMatchObject([
      { model: "gpt-4o", calls: 2, inputTokens: 2_000, costUsd: 2 * CALL_USD },
    ]);
  });
});

describe("sending a trace again", () => {
  it("changes nothing if it is the same", async () => {
    const user = await newSender(client, db);
    for (const status of ["COMPLETED", "RUNNING"]) {
      const sent = trace({ status, spans: [call(), call(), call(), call({ costUsd: 1 }), call()] });
      await user.send([sent]);
      const first = await user.get(`/api/traces/${sent.id}`);
      await user.send([sent]);
      expect((await user.get(`/api/traces/${sent.id}`)).json).toEqual(first.json);
    }
  });

  it("replaces models and costs, and forgets them if no span names a model", async () => {
    const user = await newSender(client, db);
    const sent = trace({ spans: [call()] });
    await user.send([sent]);
    await user.send([{ ...sent, spans: [call({}, { model: "gpt-4o-mini" })] }]);
    expect((await user.get(`/api/traces/${sent.id}`)).json).toMatchObject({
      models: ["gpt-4o-mini"],
      totalCost: 0.00021,
    });
    await user.send([{ ...sent, spans: [span()] }]);
    expect((await user.get(`/api/traces/${sent.id}`)).json).toMatchObject({
      models: [],
      totalCost: null,
      isCostDerived: false,
    });
  });
});

it("stores a name of a model that is too long for an index", async () => {
  const user = await newSender(client, db);
  const id = otlpId(16);
  const model = randomBytes(6_000).toString("base64");
  const attributes = { "gen_ai.operation.name": "chat", "gen_ai.request.model": model };
  expectStatus(await sendOtlp(client, user.key, spansRequest([otlpSpan(id, attributes)])), 200);
  const { json } = expectStatus(await user.get(`/api/traces/${id}`), 200);
  expect([json.models, json.spans[0].model]).toEqual([[model.slice(0, 200)], model]);
  expect((await user.get(`/api/traces?model=${encodeURIComponent(json.models[0])}`)).json.total).toBe(1);
});

it("also prices large batches, which another thread stores", async () => {
  const user = await newSender(client, db);
  const sent = trace({ spans: [call({ input: "x".repeat(300_000) })] });
  expectStatus(await user.send([sent]), 200);
  expect((await user.get(`/api/traces/${sent.id}`)).json.totalCost).toBe(CALL_USD);
});
