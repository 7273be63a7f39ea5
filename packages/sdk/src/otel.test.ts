import type { IncomingMessage } from "node:http";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeServer, respondJson, startFakeServer } from "../test/fake-server.ts";
import { startProviders } from "../test/providers.ts";
import { useTestClient } from "../test/use-test-client.ts";
import { decide, event, flush, span, startTrace, stats, trace } from "./index.ts";
import { wrapOpenAI } from "./openai.ts";
import { continueTrace, traceparent } from "./otel.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const HEADER = `00-${TRACE_ID}-${CALLER}-01`;

const fakeServers: FakeServer[] = [];
afterEach(async () => {
  for (const fakeServer of fakeServers.splice(0)) await fakeServer.close();
});

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
}

/** A server that responds to both endpoints, and what each received. */
async function listen(otlpResponse: unknown = {}) {
  const received: { path: string; spans: OtlpSpan[] }[] = [];
  const fakeServer = await startFakeServer(({ url = "" }: IncomingMessage, response, body) => {
    const { traces = [], resourceSpans = [] } = JSON.parse(body);
    const spans = resourceSpans.flatMap((one: { scopeSpans: { spans: OtlpSpan[] }[] }) =>
      one.scopeSpans.flatMap((scope) => scope.spans),
    );
    received.push({ path: url, spans });
    respondJson(response, 200, url === "/v1/traces" ? otlpResponse : { success: true, count: traces.length });
  });
  fakeServers.push(fakeServer);
  useTestClient({ url: fakeServer.url, apiKey: "wt_test" });
  return { received, spans: () => received.flatMap((one) => one.spans) };
}

describe("continueTrace", () => {
  it("has the id of the header and its span as the parent; spans below have ids of 16 hexadecimal digits", async () => {
    const { received, spans } = await listen();
    await trace("lookup", continueTrace(HEADER), () => span("query", () => 1));
    expect(await flush()).toBe(true);
    const [query, lookup] = spans();
    expect(received.map(({ path }) => path)).toEqual(["/v1/traces"]);
    expect(lookup).toMatchObject({ traceId: TRACE_ID, parentSpanId: CALLER, name: "lookup" });
    expect(query).toMatchObject({ traceId: TRACE_ID, parentSpanId: lookup?.spanId, name: "query" });
    expect(query?.spanId).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([
    undefined,
    null,
    "",
    "nonsense",
    `00-${"0".repeat(32)}-${CALLER}-01`,
    `00-${TRACE_ID}-${"0".repeat(16)}-01`,
    `ff-${TRACE_ID}-${CALLER}-01`,
    `00-${TRACE_ID}-${CALLER}`,
  ])("starts a new trace if the header is %s", async (header) => {
    const { spans } = await listen();
    await trace("lookup", continueTrace(header), () => 1);
    await flush();
    expect(spans()).toMatchObject([{ traceId: expect.stringMatching(/^(?!4bf92f)[0-9a-f]{32}$/) }]);
    expect(spans()[0]).not.toHaveProperty("parentSpanId");
  });

  it("keeps two parts of one trace apart that the same process records at the same time", async () => {
    const { spans } = await listen();
    const one = startTrace("one", continueTrace(HEADER));
    const other = startTrace("other", continueTrace(HEADER));
    one.end();
    other.end();
    expect(await flush()).toBe(true);
    expect(spans().map(({ name }) => name)).toEqual(["one", "other"]);
    expect(stats().sent).toBe(2);
  });

  it("is sent apart from traces of the other format", async () => {
    const { received } = await listen();
    startTrace("a").end();
    startTrace("b", continueTrace(HEADER)).end();
    startTrace("c").end();
    expect(await flush()).toBe(true);
    expect(received.map(({ path }) => path)).toEqual(["/api/traces", "/v1/traces"]);
    expect(stats()).toMatchObject({ sent: 3, dropped: 0 });
  });

  it("reports what the server rejected", async () => {
    await listen({ partialSuccess: { rejectedSpans: "1", errorMessage: "belongs to another user" } });
    startTrace("refused", continueTrace(HEADER)).end();
    await flush();
    expect(stats()).toMatchObject({ sent: 0, dropped: 1, lastError: { code: "trace-refused" } });
    expect(stats().lastError?.message).toContain("belongs to another user");
  });
});

describe("traceparent", () => {
  it("names the current span, or else the trace", async () => {
    const { spans } = await listen();
    const headers: (string | undefined)[] = [];
    await trace("lookup", continueTrace(HEADER), async (handle) => {
      headers.push(traceparent(), handle.traceparent);
      await span("query", (one) => headers.push(traceparent(), one.traceparent));
    });
    await flush();
    const [query, lookup] = spans().map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`);
    expect(headers).toEqual([lookup, lookup, query, query]);
  });

  it("is undefined outside a trace and in a trace that only this process records", async () => {
    await listen();
    expect(traceparent()).toBeUndefined();
    await trace("alone", () => expect(traceparent()).toBeUndefined());
    expect(stats().lastError).toMatchObject({ code: "misuse" });
  });
});

describe("two services", async () => {
  const { server, client, db } = await boot();

  /** What the trace of a caller with OpenTelemetry is, sent by its exporter. */
  const callerSpan = (traceId: string, spanId: string, name: string, parentSpanId?: string) => ({
    resourceSpans: [
      {
        scopeSpans: [
          {
            scope: { name: "caller" },
            spans: [
              {
                traceId,
                spanId,
                ...(parentSpanId && { parentSpanId }),
                name,
                startTimeUnixNano: `${Date.now()}000000`,
                endTimeUnixNano: `${Date.now() + 50}000000`,
                attributes: [{ key: "session.id", value: { stringValue: "conv-1" } }],
              },
            ],
          },
        ],
      },
    ],
  });

  async function sendOtlp(key: string, body: unknown) {
    const response = await fetch(`${server.url}/v1/traces`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  }

  it("say with which probability the trace was kept and its options were drawn", async () => {
    const user = await newSender(client, db);
    useTestClient({ url: server.url, apiKey: user.key, sampleRate: 0.999_999 });
    const id = await trace("sampled", continueTrace(undefined), async (t) => {
      await decide("ROUTING", { options: ["a", "b"], chosen: "a", probability: 0.5 });
      await decide("ROUTING", { options: ["a", "b"], chosen: "a", probability: 7 });
      return t.traceId;
    });
    expect(await flush()).toBe(true);
    const { sampleProbability, decisionPoints } = (await user.get(`/api/traces/${id}`)).json;
    expect(sampleProbability).toBe(0.999_999);
    expect(decisionPoints.map((one: { probability: unknown }) => one.probability)).toEqual([0.5, null]);
  });

  async function recordLookup(header: string) {
    let outgoing: string | undefined;
    await trace(
      "lookup",
      continueTrace(header, { tags: ["orders"], metadata: { region: "eu" } }),
      async () => {
        await decide("ROUTING", {
          options: ["cache", "database"],
          chosen: "database",
          reasoning: "The cache is cold.",
          contextSnapshot: { entries: 0 },
        });
        await span("query", { type: "TOOL_CALL", input: { id: 7 } }, async (query) => {
          outgoing = traceparent();
          query.set({ costUsd: 0.5, tokenCount: 12, metadata: { rows: 1 } });
          event("slow", { type: "RETRY", metadata: { attempt: 2 } });
          return ["row"];
        });
      },
    );
    expect(await flush()).toBe(true);
    return outgoing ?? "";
  }

  it.each(["caller first", "caller last"])("record one trace, and nothing is lost: %s", async (order) => {
    const user = await newSender(client, db);
    useTestClient({ url: server.url, apiKey: user.key });
    const traceId = crypto.randomUUID().replaceAll("-", "");
    const caller = callerSpan(traceId, CALLER, "handle request");
    if (order === "caller first") await sendOtlp(user.key, caller);
    const [, , querySpanId = ""] = (await recordLookup(`00-${traceId}-${CALLER}-01`)).split("-");
    await sendOtlp(user.key, callerSpan(traceId, "00000000000000aa", "in the database", querySpanId));
    if (order === "caller last") await sendOtlp(user.key, caller);

    const { json: stored } = await user.get(`/api/traces/${traceId}`);
    const named = (name: string) => stored.spans.find((one: { name: string }) => one.name === name);
    expect(stored).toMatchObject({
      status: "COMPLETED",
      sessionId: "conv-1",
      totalCost: 0.5,
      totalTokens: 12,
    });
    expect(stored.spans).toHaveLength(4);
    expect(named("lookup")).toMatchObject({
      type: "AGENT",
      parentSpanId: CALLER,
      metadata: { region: "eu" },
    });
    expect(named("query")).toMatchObject({
      type: "TOOL_CALL",
      parentSpanId: named("lookup").id,
      input: { id: 7 },
      output: ["row"],
      costUsd: 0.5,
      tokenCount: 12,
      metadata: { rows: 1 },
    });
    expect(named("in the database").parentSpanId).toBe(named("query").id);
    expect(stored.decisionPoints).toMatchObject([
      {
        type: "ROUTING",
        chosen: "database",
        alternatives: ["cache"],
        reasoning: "The cache is cold.",
        contextSnapshot: { entries: 0 },
        parentSpanId: named("lookup").id,
      },
    ]);
    expect(stored.events).toMatchObject([
      { name: "slow", type: "RETRY", metadata: { attempt: 2 }, spanId: named("query").id },
    ]);
  });

  it("record a wrapped model call with its decision once, its model and its tokens", async () => {
    const user = await newSender(client, db);
    const providers = await startProviders();
    fakeServers.push(providers);
    useTestClient({ url: server.url, apiKey: user.key });
    const openai = wrapOpenAI(new OpenAI({ baseURL: `${providers.url}/v1`, apiKey: "none" }));
    const tools = ["get_weather", "get_time"].map((name) => ({
      type: "function" as const,
      function: { name },
    }));
    const { id, ...options } = continueTrace(undefined);
    await trace("weather", { id, ...options }, () =>
      openai.chat.completions.create({
        model: "gpt-test",
        messages: [{ role: "user", content: "How is the weather?" }],
        tools,
      }),
    );
    expect(await flush()).toBe(true);
    const { json: stored } = await user.get(`/api/traces/${id}`);
    expect(stored).toMatchObject({ name: "weather", status: "COMPLETED", totalTokens: 1_200 });
    expect(stored.decisionPoints).toMatchObject([
      { type: "TOOL_SELECTION", chosen: "get_weather", alternatives: ["get_time"] },
    ]);
    expect(stored.spans.find((one: { type: string }) => one.type === "LLM_CALL")).toMatchObject({
      tokenCount: 1_200,
      model: "gpt-test-2026",
    });
  });
});
