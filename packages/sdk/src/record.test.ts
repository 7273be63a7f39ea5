import { setTimeout as sleep } from "node:timers/promises";
import type { WholeTrace } from "@whytrace/contract";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { describe, expect, it, vi } from "vitest";
import { respondJson, startFakeServer } from "../test/fake-server.ts";
import { useTestClient } from "../test/use-test-client.ts";
import { Client } from "./client.ts";
import { replaceClient } from "./global-state.ts";
import {
  currentTrace,
  decide,
  event,
  flush,
  init,
  shutdown,
  span,
  startTrace,
  stats,
  trace,
} from "./index.ts";

const { server, client, db } = await boot();
const sender = await newSender(client, db);
const settings = { apiKey: sender.key, url: server.url };

const stored = async (id: string): Promise<WholeTrace> => (await sender.get(`/api/traces/${id}`)).json;
const list = async (query = ""): Promise<{ id: string; name: string }[]> =>
  (await sender.get(`/api/traces?${query}`)).json.traces;

describe("a trace", () => {
  it("is stored with its spans, decisions and events, each under its parent", async () => {
    const { errors } = useTestClient(settings);
    let id = "";
    const result = await trace(
      "support",
      { sessionId: "s-1", tags: ["a"], metadata: { plan: "pro" } },
      async (t) => {
        id = t.id;
        const tool = await decide("TOOL_SELECTION", {
          options: ["search_docs", "ask_human"],
          choose: async () => ({ chosen: "search_docs", reasoning: "The documents hold it." }),
        });
        const found = await span("search", { type: "TOOL_CALL", input: { q: "refund" } }, async (s) => {
          event("cache miss", { metadata: { key: 1 } });
          s.set({ costUsd: 0.25, tokenCount: 10 });
          await span("fetch", () => sleep(5));
          return [tool];
        });
        await span("model", { type: "LLM_CALL" }, (s) => s.set({ costUsd: 0.5, tokenCount: 32 }));
        return found;
      },
    );
    expect(result).toEqual(["search_docs"]);
    expect(await flush()).toBe(true);
    const whole = await stored(id);
    expect(whole).toMatchObject({
      name: "support",
      sessionId: "s-1",
      status: "COMPLETED",
      tags: ["a"],
      metadata: { plan: "pro" },
      totalCost: 0.75,
      totalTokens: 42,
    });
    const [search, fetched] = ["search", "fetch"].map((name) => whole.spans.find((one) => one.name === name));
    expect(search).toMatchObject({ type: "TOOL_CALL", input: { q: "refund" }, output: ["search_docs"] });
    expect(fetched?.parentSpanId).toBe(search?.id);
    expect(whole.totalDuration).toBeGreaterThanOrEqual(4);
    expect(whole.decisionPoints).toMatchObject([
      {
        type: "TOOL_SELECTION",
        chosen: "search_docs",
        alternatives: ["ask_human"],
        reasoning: "The documents hold it.",
      },
    ]);
    expect(whole.events).toMatchObject([{ name: "cache miss", spanId: search?.id, metadata: { key: 1 } }]);
    expect(errors).toEqual([]);
    expect(stats()).toMatchObject({ sent: 1, dropped: 0, queued: 0, open: 0 });
  });

  it("that fails rethrows the same error and is stored as ERROR", async () => {
    useTestClient(settings);
    const error = new TypeError("no such tool");
    let id = "";
    const failing = trace("failing", (t) => {
      id = t.id;
      return span("call", () => Promise.reject(error));
    });
    await expect(failing).rejects.toBe(error);
    await flush();
    const whole = await stored(id);
    expect(whole.status).toBe("ERROR");
    expect(whole.spans).toMatchObject([{ status: "ERROR", statusMessage: "no such tool" }]);
    expect(whole.events).toMatchObject([{ type: "ERROR", name: "TypeError" }]);
  });

  it("keeps parallel traces and spans apart", async () => {
    useTestClient(settings);
    const ids = await Promise.all(
      [1, 2, 3].map((number) =>
        trace(`parallel ${number}`, async (t) => {
          await Promise.all(
            ["a", "b"].map((part) =>
              span(`${number}${part}`, async () => {
                await sleep(Math.random() * 10);
                expect(currentTrace()?.id).toBe(t.id);
                await span(`${number}${part} inner`, () => sleep(1));
              }),
            ),
          );
          return t.id;
        }),
      ),
    );
    await flush();
    for (const [index, id] of ids.entries()) {
      const { spans } = await stored(id);
      const nameOf = (spanId: string | null) => spans.find((one) => one.id === spanId)?.name;
      const nested = spans
        .filter((one) => one.parentSpanId)
        .map((one) => [one.name, nameOf(one.parentSpanId)]);
      const number = index + 1;
      expect(nested.toSorted()).toEqual(
        ["a", "b"].map((part) => [`${number}${part} inner`, `${number}${part}`]),
      );
    }
  });

  it("inside another trace becomes an AGENT span of that trace", async () => {
    useTestClient(settings);
    const id = await trace("outer", async (outer) => {
      await trace("inner agent", { tags: ["x"] }, async (inner) => {
        expect(inner.traceId).toBe(outer.id);
        await span("deep", () => undefined);
      });
      return outer.id;
    });
    await flush();
    const { spans } = await stored(id);
    expect(spans).toMatchObject([
      { name: "inner agent", type: "AGENT", metadata: { tags: ["x"] } },
      { name: "deep", parentSpanId: spans[0]?.id },
    ]);
  });

  it("can be recorded with handles instead of functions", async () => {
    useTestClient(settings);
    const t = startTrace("by hand");
    const s = t.span("step", { input: 1 });
    const chosen = await s.decide("ROUTING", { options: [{ to: "a" }, { to: "b" }], chosen: { to: "b" } });
    s.event("noted");
    t.span("never ended");
    s.end({ output: 2, tokenCount: 3 });
    t.end({ tags: ["done"] });
    await flush();
    expect(chosen).toEqual({ to: "b" });
    const whole = await stored(t.id);
    expect(whole).toMatchObject({ status: "COMPLETED", tags: ["done"], totalTokens: 3 });
    expect(whole.totalCost).toBeNull();
    expect(whole.decisionPoints).toMatchObject([
      { chosen: { to: "b" }, alternatives: [{ to: "a" }], parentSpanId: s.id },
    ]);
    expect(whole.spans.map((one) => [one.name, one.status, one.statusMessage])).toEqual([
      ["step", "COMPLETED", null],
      ["never ended", "COMPLETED", "still open when its trace ended"],
    ]);
  });

  it("is created for a span or a decision outside any trace", async () => {
    const { errors } = useTestClient(settings);
    await span("standalone span", { type: "TOOL_CALL" }, () => 1);
    await decide("PLANNING", { options: ["x", "y"], choose: () => "y" });
    event("nowhere");
    await flush();
    const names = (await list()).map((one) => one.name);
    expect(names).toEqual(expect.arrayContaining(["standalone span", "decide PLANNING"]));
    expect(errors).toMatchObject([{ code: "misuse" }]);
  });

  it("that runs long is stored as RUNNING, then replaced by its final state", async () => {
    const { client: own } = useTestClient(settings, { firstSnapshotMs: 20, sweepIntervalMs: 10 });
    const t = startTrace("long");
    t.span("under way");
    await expect.poll(() => own.stats().snapshotsSent).toBe(1);
    expect(await stored(t.id)).toMatchObject({
      status: "RUNNING",
      endedAt: null,
      spans: [{ status: "RUNNING" }],
    });
    t.end();
    await flush();
    expect(await stored(t.id)).toMatchObject({ status: "COMPLETED" });
    expect(own.stats()).toMatchObject({ sent: 1, snapshotsSent: 1 });
  });

  it("is sent again while it runs once it has grown by a quarter, and not before", async () => {
    const { client: own } = useTestClient(settings, {
      firstSnapshotMs: 10,
      snapshotIntervalMs: 20,
      sweepIntervalMs: 5,
    });
    const t = startTrace("growing", { metadata: { text: "x".repeat(1_000) } });
    await expect.poll(() => own.stats().snapshotsSent).toBe(1);
    await sleep(120);
    expect(own.stats().snapshotsSent).toBe(1);
    t.set({ metadata: { more: "y".repeat(2_000) } });
    await expect.poll(() => own.stats().snapshotsSent).toBe(2);
  });

  it("is not sent again before the interval has passed, however much it has grown", async () => {
    const { client: own } = useTestClient(settings, {
      firstSnapshotMs: 10,
      snapshotIntervalMs: 60_000,
      sweepIntervalMs: 5,
    });
    const t = startTrace("growing fast");
    await expect.poll(() => own.stats().snapshotsSent).toBe(1);
    t.set({ metadata: { most: "z".repeat(9_000) } });
    await sleep(60);
    expect(own.stats().snapshotsSent).toBe(1);
  });
});

describe("decide", () => {
  it.each([
    ["a string", ["a", "b", "c"], "b", ["a", "c"]],
    ["one of two equal options", ["a", "a"], "a", ["a"]],
    ["an object", [{ n: 1 }, { n: 2 }], { n: 2 }, [{ n: 1 }]],
    ["a value that is not an option", ["a", "b"], "z", ["a", "b"]],
    ["null", ["a", null], null, ["a"]],
  ])("records the options without the chosen one: %s", async (_, options, chosen, alternatives) => {
    useTestClient(settings);
    const id = await trace("choice", async (t) => {
      expect(await decide<unknown>("CUSTOM", { options, choose: () => chosen })).toEqual(chosen);
      return t.id;
    });
    await flush();
    expect((await stored(id)).decisionPoints).toMatchObject([{ chosen, alternatives }]);
  });

  it("returns an option that itself has a field named chosen", async () => {
    useTestClient(settings);
    const option = { chosen: "inner" };
    expect(await decide<{ chosen: string }>("CUSTOM", { options: [option], choose: () => option })).toBe(
      option,
    );
  });

  it("rethrows an error of `choose` and records an event", async () => {
    useTestClient(settings);
    const error = new Error("router down");
    let id = "";
    await expect(
      trace("choice", (t) => {
        id = t.id;
        return decide("ROUTING", {
          options: ["a"],
          choose: () => {
            throw error;
          },
        });
      }),
    ).rejects.toBe(error);
    await flush();
    const whole = await stored(id);
    expect(whole.decisionPoints).toEqual([]);
    expect(whole.events[0]).toMatchObject({ type: "ERROR", name: "ROUTING failed" });
  });
});

describe("init", () => {
  it("lets running traces end with the configuration they started with", async () => {
    const { client: before } = useTestClient(settings);
    const [open, another] = [startTrace("across init"), startTrace("another")];
    open.span("begun").end();
    init({ ...settings, exitHooks: false });
    const id = await trace("after init", (t) => t.id);
    expect(await flush({ timeoutMs: 60_000 })).toBe(true);
    open.end();
    another.end();
    await expect.poll(() => before.stats()).toMatchObject({ sent: 2, open: 0, queued: 0 });
    expect(before.isRecording).toBe(false);
    expect(await stored(open.id)).toMatchObject({ status: "COMPLETED", spans: [{ name: "begun" }] });
    expect(await stored(id)).toMatchObject({ status: "COMPLETED" });
    await shutdown();
  });

  it("lets the previous client deliver its queue, however long the server is unreachable", async () => {
    let isDown = true;
    const fakeServer = await startFakeServer((_, response, body) =>
      isDown
        ? respondJson(response, 503, { error: "down" })
        : respondJson(response, 200, { success: true, count: JSON.parse(body).traces.length }),
    );
    const { client: before } = useTestClient(
      { apiKey: "wt_test", url: fakeServer.url },
      { flushTimeoutMs: 20, sweepIntervalMs: 10 },
    );
    const late = startTrace("ends later");
    startTrace("queued").end();
    init({ ...settings, exitHooks: false });
    await sleep(100);
    expect(before.stats()).toMatchObject({ queued: 1, dropped: 0 });
    isDown = false;
    await expect.poll(() => before.stats()).toMatchObject({ sent: 1, queued: 0 });
    late.end();
    late.event("after the end");
    await expect.poll(() => before.stats()).toMatchObject({ sent: 2, queued: 0, dropped: 0 });
    await shutdown();
    await fakeServer.close();
  });

  it("does nothing if the settings are the same", async () => {
    const options = { ...settings, exitHooks: false };
    init(options);
    await trace("first request", () => 1);
    init({ ...options });
    await trace("second request", () => 2);
    expect(await flush({ timeoutMs: 60_000 })).toBe(true);
    expect(stats().sent).toBe(2);
    init({ ...options, sampleRate: 0.5 });
    expect(stats().sent).toBe(0);
    await shutdown();
    init({ ...options, sampleRate: 0.5 });
    expect(startTrace("after a shutdown").id).not.toBe("");
    await shutdown();
  });

  it.each([
    ["url must be an http or https URL", { url: "localhost:3000" }, undefined],
    ["WHYTRACE_URL must be an http or https URL", {}, "localhost:3000"],
  ])("reports where a wrong URL comes from: %s", (message, options, url) => {
    vi.stubEnv("WHYTRACE_URL", url);
    const errors: unknown[] = [];
    new Client({ apiKey: "wt_test", ...options, onError: (error) => errors.push(error.message) });
    expect(errors).toEqual([message]);
    vi.unstubAllEnvs();
  });
});

it("counts and reports traces that exceed the limit of running traces, which are sent if they end", async () => {
  const { errors } = useTestClient(settings);
  const all = Array.from({ length: 1_002 }, () => startTrace("open"));
  expect(stats()).toMatchObject({ open: 1_000, untracked: 2 });
  expect(errors[0]).toMatchObject({ code: "too-many-open", message: expect.stringContaining("1000") });
  all[0]?.end();
  await flush();
  expect(stats()).toMatchObject({ open: 1_000, sent: 1 });
});

it("counts and reports what is added to a trace after shutdown", async () => {
  const { client: own, errors } = useTestClient(settings);
  const t = startTrace("job");
  t.end();
  await own.shutdown();
  t.event("too late");
  expect(own.stats()).toMatchObject({ sent: 1, dropped: 1 });
  expect(errors).toMatchObject([{ code: "misuse", traceId: t.id }]);
});

describe("without a key, the SDK", () => {
  it("runs the user's code, records nothing and warns once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    replaceClient(new Client({ url: server.url, apiKey: "" }));
    for (let round = 0; round < 3; round++)
      expect(
        await trace("t", () => span("s", () => decide("CUSTOM", { options: [1, 2], choose: () => 2 }))),
      ).toBe(2);
    startTrace("h").span("s").end();
    expect(warn.mock.calls).toEqual([
      ["whytrace: nothing is recorded: set WHYTRACE_API_KEY or call init({ apiKey })"],
    ]);
    expect(stats()).toMatchObject({ sent: 0, open: 0, queued: 0 });
    warn.mockRestore();
  });
});

describe("redact", () => {
  it("is called for every value with its path; a field for which it throws is never sent", async () => {
    const { errors } = useTestClient({
      ...settings,
      redact(value, path) {
        if (path === "span.output") throw new Error("cannot tell");
        return typeof value === "string" ? value.replace(/\S+@\S+/, "[mail]") : value;
      },
    });
    const id = await trace("mail from ada@example.test", { tags: ["bob@example.test"] }, async (t) => {
      await span("step", { input: { messages: [{ content: "from ada@example.test" }] } }, () => "secret");
      t.event("e", { metadata: new Map([["to", "ada@example.test"]]) });
      await t
        .span("bad", () => {
          throw new Error("ada@example.test is unknown");
        })
        .catch(() => {});
      return t.id;
    });
    await flush();
    const response = await sender.get(`/api/traces/${id}`);
    expect(response.text).not.toMatch(/@example|secret/);
    expect(response.json).toMatchObject({
      name: "mail from [mail]",
      tags: ["[mail]"],
      spans: [
        { input: { messages: [{ content: "from [mail]" }] }, output: null },
        { statusMessage: "[mail] is unknown" },
      ],
      events: [{ metadata: { to: "[mail]" } }],
    });
    expect(errors).toMatchObject([
      { code: "redact-failed", message: expect.stringContaining("span.output") },
    ]);
  });
});

describe("sampling", () => {
  it("selects the same ids every time, close to the rate, and keeps errors", async () => {
    const ids = Array.from({ length: 400 }, (_, index) => `sample-${index}`);
    const run = async (keepErrors: boolean) => {
      const { client: own } = useTestClient({ ...settings, sampleRate: 0.25, keepErrors });
      for (const [index, id] of ids.entries()) {
        const t = startTrace("sampled", { id });
        if (index % 10 === 0) t.fail(new Error("x"));
        else t.end();
      }
      await flush();
      return own.stats();
    };
    const [first, again, withErrors] = [await run(false), await run(false), await run(true)];
    expect(first.sent).toBeGreaterThan(60);
    expect(first.sent).toBeLessThan(140);
    expect(again.sent).toBe(first.sent);
    expect(first.sent + first.sampledOut).toBe(400);
    expect(withErrors.sent).toBeGreaterThan(first.sent + 20);
    expect(withErrors.sent + withErrors.sampledOut).toBe(400);
  });

  it("says with which probability each trace was kept", async () => {
    const probabilities = async (options: object) => {
      useTestClient({ ...settings, ...options });
      const ids = Array.from({ length: 40 }, (_, index) => `kept-${index}`);
      for (const [index, id] of ids.entries()) {
        const t = startTrace("kept", { id });
        if (index % 2 === 0) t.fail(new Error("x"));
        else if (index % 5 === 0) t.score("quality", false);
        t.end();
      }
      await flush();
      const found = new Map<string, unknown[]>();
      for (const id of ids) {
        const { status, sampleProbability } = await stored(id);
        if (status) found.set(status, [...(found.get(status) ?? []), sampleProbability]);
        await sender.delete(`/api/traces/${id}`);
      }
      return found;
    };
    const kept = await probabilities({ sampleRate: 0.5 });
    expect(kept.get("ERROR")).toEqual(Array(20).fill(1));
    expect(new Set(kept.get("COMPLETED"))).toEqual(new Set([0.5, 1]));
    const dropped = await probabilities({ sampleRate: 0.5, keepErrors: false });
    expect(new Set(dropped.get("ERROR"))).toEqual(new Set([0.5]));
    const all = await probabilities({});
    expect(new Set([...all.values()].flat())).toEqual(new Set([null]));
  });
});

describe("waitUntil", () => {
  it("receives a promise that resolves when the trace has been sent, without the delay of a batch", async () => {
    const promises: Promise<unknown>[] = [];
    useTestClient({ ...settings, waitUntil: (promise) => promises.push(promise) }, { batchDelayMs: 60_000 });
    const id = await trace("serverless", (t) => t.id);
    expect(promises).toHaveLength(1);
    await Promise.all(promises);
    expect((await stored(id)).status).toBe("COMPLETED");
  });
});
