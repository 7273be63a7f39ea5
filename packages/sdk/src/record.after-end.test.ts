import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { streamText } from "ai";
import { afterAll, expect, it } from "vitest";
import { startProviders } from "../test/providers.ts";
import { recordTraces } from "../test/record-traces.ts";
import { useTestClient } from "../test/use-test-client.ts";
import { wrapModel } from "./ai.ts";
import { event, flush, span, startTrace, stats, trace } from "./index.ts";
import type { TracePayload } from "./payload.ts";

/* What is recorded after a traced function has returned, or after `end`. */

const providers = await startProviders();
afterAll(() => providers.close());
const openai = createOpenAI({ apiKey: "sk-test", baseURL: `${providers.url}/v1` });
const model = wrapModel(openai.chat("gpt-test"));

/** Collects every state of a trace that is sent. */
function collectStates(tuning = {}) {
  const states: TracePayload[] = [];
  const waiting: Promise<unknown>[] = [];
  const { client, errors } = useTestClient(
    {
      apiKey: "wt_test",
      waitUntil: (promise) => waiting.push(promise),
      async fetch(_, { body }) {
        const { traces } = JSON.parse(body);
        states.push(...traces);
        const response = JSON.stringify({ success: true, count: traces.length });
        return { status: 200, headers: { get: () => null }, text: async () => response };
      },
    },
    tuning,
  );
  return { states, waiting, client, errors };
}

it("a trace that returns a stream is complete: it stays open until the stream has been read", async () => {
  const [sent] = await recordTraces(async () => {
    const response = await trace("chat", () =>
      streamText({ model, prompt: "hello" }).toUIMessageStreamResponse(),
    );
    await response.text();
    await expect.poll(() => stats().open).toBe(0);
  });
  expect(sent).toMatchObject({
    status: "COMPLETED",
    totalTokens: 1_200,
    spans: [{ type: "LLM_CALL", status: "COMPLETED", tokenCount: 1_200 }],
  });
  expect(sent?.endedAt).toBe(sent?.spans[0]?.endedAt);
  expect(sent?.totalDuration).toBeGreaterThanOrEqual(sent?.spans[0]?.durationMs ?? 0);
});

it("a span without a function keeps its trace open if it says so; meanwhile the trace is RUNNING", async () => {
  const { states } = collectStates({ firstSnapshotMs: 1, sweepIntervalMs: 5 });
  const stream = await trace("chat", () => span("stream", { keepsTraceOpen: true }));
  await expect.poll(() => states.at(-1)?.status).toBe("RUNNING");
  expect(stats()).toMatchObject({ open: 1, sent: 0 });
  stream.end({ output: "all" });
  await flush();
  expect(states.at(-1)).toMatchObject({
    status: "COMPLETED",
    spans: [{ status: "COMPLETED", output: "all" }],
  });
  expect(stats()).toMatchObject({ open: 0, sent: 1 });
});

it("a function span that nobody awaits keeps its trace open", async () => {
  const { states } = collectStates();
  await trace("chat", () => {
    void span("save", () => sleep(20));
  });
  await expect.poll(() => stats().sent).toBe(1);
  expect(states).toMatchObject([{ status: "COMPLETED", spans: [{ name: "save", status: "COMPLETED" }] }]);
  expect(states[0]?.spans[0]?.statusMessage).toBeUndefined();
});

it("the trace fails if the last span that kept it open fails", async () => {
  const { states } = collectStates();
  const streams = await trace("chat", () => [1, 2].map(() => span("stream", { keepsTraceOpen: true })));
  streams[0]?.end();
  streams[1]?.fail(new Error("cut off"));
  await flush();
  expect(states.at(-1)).toMatchObject({
    status: "ERROR",
    spans: [{ status: "COMPLETED" }, { status: "ERROR", statusMessage: "cut off" }],
  });
});

it("records added to an ended trace replace it on the server, and it is counted once", async () => {
  const { states } = collectStates();
  const t = startTrace("by hand");
  const open = t.span("open");
  t.end();
  await flush();
  expect(states.at(-1)).toMatchObject({
    status: "COMPLETED",
    spans: [{ status: "COMPLETED", statusMessage: "still open when its trace ended" }],
  });
  const { endedAt, totalDuration } = states.at(-1) ?? {};
  await sleep(5);
  t.event("feedback", { type: "USER_FEEDBACK" });
  await t.decide("CUSTOM", { options: [1, 2], chosen: 1 });
  t.set({ metadata: { rating: 5 } });
  await flush();
  expect(states.at(-1)).toMatchObject({
    status: "COMPLETED",
    endedAt,
    totalDuration,
    metadata: { rating: 5 },
    events: [{ name: "feedback" }],
    decisionPoints: [{ chosen: 1 }],
  });
  open.end({ output: "late" });
  t.span("another").end();
  await flush();
  expect(states.at(-1)?.spans).toMatchObject([
    { name: "open", status: "COMPLETED", output: "late" },
    { name: "another", status: "COMPLETED" },
  ]);
  expect(states.at(-1)?.spans[0]).not.toHaveProperty("statusMessage");
  expect(stats()).toMatchObject({ sent: 1, dropped: 0, open: 0, queued: 0 });
});

it("a completed trace can still fail; other ends of an ended trace do nothing", async () => {
  const { states } = collectStates();
  const t = startTrace("by hand");
  t.end();
  t.end({ tags: ["ignored"] });
  t.fail(new TypeError("the stream broke"));
  t.fail(new Error("ignored"));
  t.end();
  await flush();
  expect(states.at(-1)).toMatchObject({ status: "ERROR", tags: [], events: [{ name: "TypeError" }] });
  expect(states.at(-1)?.events).toHaveLength(1);
});

it("spans keep a trace open for a limited time; if they end later, they are still recorded", async () => {
  const { states } = collectStates({ maxLingerMs: 10, sweepIntervalMs: 5 });
  const stream = await trace("chat", () => span("stream", { keepsTraceOpen: true }));
  await expect.poll(() => states.at(-1)?.status).toBe("COMPLETED");
  expect(states.at(-1)?.spans).toMatchObject([{ statusMessage: "still open when its trace ended" }]);
  stream.end({ output: "all" });
  await flush();
  expect(states.at(-1)?.spans).toMatchObject([{ status: "COMPLETED", output: "all" }]);
  expect(stats()).toMatchObject({ sent: 1, open: 0 });
});

it("code that runs in the context of a trace long after its end records traces of its own", async () => {
  const { states, errors } = collectStates({ maxLingerMs: 10 });
  const longAfter = Promise.withResolvers<void>();
  const late = await trace("start the server", () => ({
    work: longAfter.promise.then(async () => {
      await trace("request", () => span("work", () => 1));
      await span("job", () => 2);
      event("nowhere");
    }),
  }));
  await sleep(20);
  longAfter.resolve();
  await late.work;
  await flush();
  expect(states.map(({ name, spans }) => [name, spans.map((one) => one.name)])).toEqual([
    ["start the server", []],
    ["request", ["work"]],
    ["job", ["job"]],
  ]);
  expect(errors).toMatchObject([{ code: "misuse" }]);
});

it("waitUntil lasts until a trace that is kept open has been sent", async () => {
  const { states, waiting } = collectStates({ batchDelayMs: 60_000 });
  const stream = await trace("chat", () => span("stream", { keepsTraceOpen: true }));
  let isSent = false;
  const all = Promise.all(waiting).then(() => {
    isSent = true;
  });
  expect(waiting).toHaveLength(1);
  await sleep(5);
  expect([isSent, states]).toEqual([false, []]);
  stream.end();
  await all;
  expect(states).toMatchObject([{ status: "COMPLETED" }]);
});

it("waitUntil also lasts for a model call that starts after the traced function has returned", async () => {
  const { states, waiting } = collectStates({ batchDelayMs: 60_000 });
  const response = await trace("chat", () =>
    streamText({ model, prompt: "hello" }).toUIMessageStreamResponse(),
  );
  await response.text();
  await Promise.all(waiting);
  expect(states.at(-1)).toMatchObject({
    status: "COMPLETED",
    spans: [{ status: "COMPLETED" }],
    totalTokens: 1_200,
  });
});

it("run makes a trace current in a function and returns what the function returns", async () => {
  const { states } = collectStates();
  const t = startTrace("by hand");
  const result = t.run(() => {
    event("inside");
    return span("step", () => span("inner", () => 7));
  });
  expect(await result).toBe(7);
  const s = t.span("manual");
  expect(
    s.run(() => {
      event("below");
      return "plain";
    }),
  ).toBe("plain");
  s.end();
  t.end();
  await flush();
  expect(states.at(-1)).toMatchObject({
    spans: [{ name: "step" }, { name: "inner", parentSpanId: "s2" }, { name: "manual" }],
    events: [{ name: "inside" }, { name: "below", spanId: s.id }],
  });
});
