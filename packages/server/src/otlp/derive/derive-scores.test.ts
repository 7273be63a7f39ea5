import type { Score } from "@whytrace/contract/schemas/scores";
import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import { nanos, type OtlpSpanJson, otlpId, otlpSpan, sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const RESULT = "gen_ai.evaluation.result";
const scope = { name: "evals", version: "1" };
const newUser = () => newSender(client, db);

/** The fields of a failed evaluation, or of what is given. */
const evaluation = (name: string, fields: object = { "gen_ai.evaluation.score.label": "fail" }) =>
  otlpAttributes({ "gen_ai.evaluation.name": name, ...fields });
const resultEvent = (name: string, ms: number, fields?: object) => ({
  name: RESULT,
  timeUnixNano: nanos(ms),
  attributes: evaluation(name, fields),
});
const resultRecord = (traceId: string, name: string, more: object = {}, fields?: object) => ({
  traceId,
  timeUnixNano: nanos(50),
  eventName: RESULT,
  attributes: evaluation(name, fields),
  ...more,
});
const spansOf = (spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ scope, spans }] }] });
const logsOf = (logRecords: object[]) => ({ resourceLogs: [{ scopeLogs: [{ scope, logRecords }] }] });

async function sendSpans(user: Sender, ...spans: object[]) {
  expect(expectStatus(await sendOtlp(client, user.key, spansOf(spans)), 200).json).toEqual({});
}
async function sendLogs(user: Sender, ...records: object[]) {
  expect(expectStatus(await sendOtlp(client, user.key, logsOf(records), "logs"), 200).json).toEqual({});
}
const scoresOf = async (user: Sender, traceId: string): Promise<Score[]> =>
  expectStatus(await user.get(`/api/scores?traceId=${traceId}&limit=100`), 200).json.scores;
const placesOf = async (user: Sender, traceId: string) =>
  Object.fromEntries((await scoresOf(user, traceId)).map(({ name, spanId }) => [name, spanId]));
const outcomeOf = async (user: Sender, id: string) =>
  expectStatus(await user.get(`/api/traces/${id}/outcome`), 200).json;
const rowOf = async (id: string) => {
  const { rows } = await sql<object>`
    select outcome, outcome_flags, definition, encode(marks, 'hex') as marks, score_count from traces where id = ${id}`.execute(
    db,
  );
  return rows[0];
};

const CALLS = JSON.stringify([
  { role: "assistant", parts: [{ type: "tool_call", id: "1", name: "lookup", arguments: {} }] },
]);
/** A run with a call of a model, which chose a tool, and the tool. */
function agentRun(traceId = otlpId(16)) {
  const root = otlpSpan(traceId, { "gen_ai.operation.name": "invoke_agent" }, { name: "run" });
  const below = { parentSpanId: root.spanId };
  const call = otlpSpan(
    traceId,
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.response.id": "r-1",
      "gen_ai.output.messages": CALLS,
      "gen_ai.tool.definitions": '[{"name":"lookup"},{"name":"refund"}]',
    },
    { ...below, startTimeUnixNano: nanos(1), endTimeUnixNano: nanos(20) },
  );
  const tool = otlpSpan(
    traceId,
    { "gen_ai.operation.name": "execute_tool" },
    { ...below, startTimeUnixNano: nanos(21), endTimeUnixNano: nanos(40) },
  );
  return { traceId, root, call, tool };
}

describe("the results of evaluations", () => {
  it("are scores of what they judge, and no events", async () => {
    const user = await newUser();
    const { traceId, root, call, tool } = agentRun();
    const evaluator = (attributes: object, name: string) =>
      otlpSpan(traceId, attributes, { parentSpanId: tool.spanId, events: [resultEvent(name, 45)] });
    const sent = [
      root,
      { ...call, events: [resultEvent("own", 5), resultEvent("broken", 6, { "error.type": "timeout" })] },
      {
        ...tool,
        events: [
          resultEvent("answer", 30, { "gen_ai.evaluation.score.value": 1, "gen_ai.response.id": "r-1" }),
        ],
      },
      evaluator({ "openinference.span.kind": "EVALUATOR" }, "by openinference"),
      evaluator({ "gen_ai.operation.name": "evaluate" }, "by operation"),
      evaluator({ "braintrust.span_attributes": '{"type":"score"}' }, "by braintrust"),
      evaluator({}, "by no evaluator"),
    ];
    await sendSpans(user, ...sent);
    await sendLogs(
      user,
      resultRecord(traceId, "run"),
      resultRecord(traceId, "span", { spanId: tool.spanId }),
      resultRecord(traceId, "unknown span", { spanId: "00000000000000aa" }),
      resultRecord(
        traceId,
        "response",
        {},
        { "gen_ai.evaluation.score.value": 0, "gen_ai.response.id": "r-1" },
      ),
      resultRecord(
        traceId,
        "unknown response",
        {},
        {
          "gen_ai.evaluation.score.value": 0,
          "gen_ai.response.id": "r-2",
        },
      ),
    );
    expect(await placesOf(user, traceId)).toEqual({
      own: call.spanId,
      answer: call.spanId,
      "by openinference": tool.spanId,
      "by operation": tool.spanId,
      "by braintrust": tool.spanId,
      "by no evaluator": sent.at(-1)?.spanId,
      run: null,
      span: tool.spanId,
      "unknown span": "00000000000000aa",
      response: call.spanId,
      "unknown response": null,
    });
    const { events } = (await user.get(`/api/traces/${traceId}`)).json;
    expect(events).toMatchObject([{ spanId: call.spanId, type: "CUSTOM", name: RESULT }]);
  });

  it("are read from the attributes of a span, about the span above an evaluator, or about a span of the agent", async () => {
    const user = await newUser();
    const { traceId, root, tool } = agentRun();
    const own = (name: string, kind: object) =>
      otlpSpan(
        traceId,
        { "gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": "0.5", ...kind },
        { parentSpanId: tool.spanId },
      );
    const call = own("call", { "gen_ai.operation.name": "chat" });
    await sendSpans(user, root, tool, own("evaluator", {}), call);
    expect(await placesOf(user, traceId)).toEqual({ evaluator: tool.spanId, call: call.spanId });
  });

  it("do not depend on order, pieces and repetition, nor does how the run is judged", async () => {
    const user = await newUser();
    const seen: unknown[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { traceId, root, call, tool } = agentRun();
      const steps = [
        () => sendSpans(user, root),
        () => sendSpans(user, { ...call, events: [resultEvent("own", 5), resultEvent("own", 6)] }),
        () => sendSpans(user, tool),
        () =>
          sendLogs(
            user,
            resultRecord(traceId, "logged", { spanId: call.spanId }),
            resultRecord(traceId, "run"),
          ),
        () => sendLogs(user, resultRecord(traceId, "run")),
        () =>
          sendLogs(
            user,
            resultRecord(
              traceId,
              "about",
              {},
              { "gen_ai.evaluation.score.value": 0, "gen_ai.response.id": "r-1" },
            ),
          ),
      ];
      const order = steps.map((_, index) => (index * 5 + round) % steps.length);
      const some = round % 2 === 0 ? order : [...order].reverse();
      for (const index of [...some, ...some.slice(0, round % 4)]) await steps[index]?.();
      const names = new Map([
        [root.spanId, "root"],
        [call.spanId, "call"],
        [tool.spanId, "tool"],
      ]);
      const scores = await scoresOf(user, traceId);
      expect(new Set(scores.map(({ id }) => id)).size).toBe(scores.length);
      const { createdAt: _createdAt, ...row } = { createdAt: null, ...(await rowOf(traceId)) };
      seen.push({
        row,
        scores: scores
          .map(({ name, spanId, timestamp }) => `${name} ${names.get(spanId ?? "") ?? "run"} ${timestamp}`)
          .sort(),
        reasons: (await outcomeOf(user, traceId)).reasons.length,
      });
    }
    expect(seen[0]).toMatchObject({ row: { outcome: 1, scoreCount: 5 } });
    for (const one of seen) expect(one).toEqual(seen[0]);
  });

  it("are judged with the spans that bring them, and as if they had come alone", async () => {
    const user = await newUser();
    const [told, plain] = [agentRun(), agentRun()];
    await sendSpans(user, told.root, { ...told.call, events: [resultEvent("own", 5)] }, told.tool);
    await sendSpans(user, plain.root, plain.call, plain.tool);
    const scores = [
      { traceId: plain.traceId, spanId: plain.call.spanId, name: "own", value: false, source: "judge" },
    ];
    const headers = { authorization: `Bearer ${user.key}` };
    expectStatus(
      await new Client(client.url).request("POST", "/api/scores", { body: { scores }, headers }),
      200,
    );
    const row = await rowOf(told.traceId);
    expect(row).toMatchObject({ outcome: 1, scoreCount: 1 });
    expect(row).toEqual(await rowOf(plain.traceId));
  });

  it("stay with their trace: one alone is not deleted, and a posted trace replaces them", async () => {
    const user = await newUser();
    const { traceId, root } = agentRun();
    await sendSpans(user, { ...root, events: [resultEvent("own", 5)] });
    const [score] = await scoresOf(user, traceId);
    expect(score?.id).toMatch(/^otlp_/);
    expect((await user.delete(`/api/scores/${score?.id}`)).status).toBe(409);
    await user.send([trace({ id: traceId })]);
    expect(await scoresOf(user, traceId)).toEqual([]);
    expect((await outcomeOf(user, traceId)).outcome).toBe("good");
    await sendLogs(user, resultRecord(traceId, "run"));
    expect(await placesOf(user, traceId)).toEqual({ run: null });
    expect((await outcomeOf(user, traceId)).outcome).toBe("bad");
  });

  it("of another workspace's trace change nothing there", async () => {
    const [user, thief] = [await newUser(), await newUser()];
    const { traceId, root } = agentRun();
    await sendSpans(user, root);
    await sendLogs(thief, resultRecord(traceId, "run"));
    expect(await scoresOf(user, traceId)).toEqual([]);
    expect(await scoresOf(thief, traceId)).toEqual([]);
  });
});

describe("braintrust.scores", () => {
  it("judge the span above the scorer, or the span itself if it is no scorer", async () => {
    const user = await newUser();
    const { traceId, root, tool } = agentRun();
    const scored = (attributes: object, overrides: Record<string, unknown>): OtlpSpanJson =>
      otlpSpan(traceId, attributes, overrides);
    const below = { parentSpanId: tool.spanId };
    const llm = scored(
      { "braintrust.scores": '{"fluent":0.5}', "braintrust.span_attributes": '{"type":"llm"}' },
      below,
    );
    await sendSpans(
      user,
      { ...root, attributes: [...root.attributes, ...otlpAttributes({ "braintrust.scores": '{"all":1}' })] },
      tool,
      scored({ "braintrust.scores": '{"exact":0,"skipped":null,"text":"x"}' }, below),
      scored(
        { "braintrust.scores": '{"close":0.9}', "braintrust.span_attributes": '{"type":"score"}' },
        below,
      ),
      llm,
    );
    expect(await placesOf(user, traceId)).toEqual({
      all: null,
      exact: tool.spanId,
      close: tool.spanId,
      fluent: llm.spanId,
    });
    expect((await scoresOf(user, traceId)).map(({ source, author }) => [source, author])).toEqual(
      Array.from({ length: 4 }, () => ["judge", "evals"]),
    );
  });
});

describe("what a user says in an event of a span", () => {
  it("is a score of the span, and stays an event", async () => {
    const user = await newUser();
    const { traceId, root } = agentRun();
    const attributes = otlpAttributes({
      "whytrace.event.type": "USER_FEEDBACK",
      value: false,
      comment: "no",
    });
    await sendSpans(user, { ...root, events: [{ name: "thumbs", timeUnixNano: nanos(60), attributes }] });
    expect(await scoresOf(user, traceId)).toMatchObject([
      { name: "thumbs", value: false, comment: "no", source: "user", author: null, spanId: root.spanId },
    ]);
    expect((await user.get(`/api/traces/${traceId}`)).json.events).toMatchObject([{ type: "USER_FEEDBACK" }]);
    expect((await outcomeOf(user, traceId)).outcome).toBe("bad");
  });
});

describe("an ask for feedback", () => {
  it.each([
    ["a list of the root", { root: ["helpful", "stars"] }],
    ["JSON of the root", { root: '["helpful"]' }],
    ["one name of the root", { root: "helpful" }],
    ["a list of the process", { resource: ["helpful"] }],
  ])(
    "in %s is seen where its answer is missing",
    async (_where, asked: { root?: unknown; resource?: unknown }) => {
      const user = await newUser();
      const bad = [{ kind: "score", name: "helpful", op: "is", value: false, missing: "asked" }];
      const attribute = (value: unknown) =>
        value === undefined ? [] : otlpAttributes({ "whytrace.feedback": value });
      const [first, silent] = [agentRun(), agentRun()];
      const root = { ...first.root, attributes: [...first.root.attributes, ...attribute(asked.root)] };
      const resource = { attributes: attribute(asked.resource) };
      await sendOtlp(client, user.key, {
        resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [root] }] }],
      });
      await sendSpans(user, silent.root);
      expectStatus(await user.put("/api/outcomes", { agent: null, version: 0, bad }), 200);
      const after = [agentRun(), agentRun()] as const;
      await sendOtlp(client, user.key, {
        resourceSpans: [
          { resource, scopeSpans: [{ scope, spans: [{ ...root, traceId: after[0].traceId }] }] },
        ],
      });
      await sendSpans(user, after[1].root);
      const outcomes = () =>
        Promise.all(
          [first, silent, ...after].map(async ({ traceId }) => (await outcomeOf(user, traceId)).outcome),
        );
      await expect.poll(outcomes, { timeout: 30_000 }).toEqual(["good", "unknown", "good", "unknown"]);
      const series = await user.get("/api/scores/series?name=helpful&from=2026-01-01&to=2026-01-03");
      expect(expectStatus(series, 200).json.days).toMatchObject([{ runs: 4, asked: 2 }]);
    },
  );
});
