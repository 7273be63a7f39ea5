import type { ServerResponse } from "node:http";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FakeServer, respondJson, startFakeServer } from "../test/fake-server.ts";
import { useTestClient } from "../test/use-test-client.ts";
import { feedbackToken } from "./feedback.ts";
import { event, flush, score, shutdown, span, startTrace, stats, trace } from "./index.ts";
import { continueTrace } from "./otel.ts";

interface SentItem {
  id: string;
  name: string;
  status: string;
  traceId: string;
  value: unknown;
  timestamp: string;
  spans: { id: string }[];
}

interface Request {
  path: string;
  items: SentItem[];
}

const fakeServers: FakeServer[] = [];
afterEach(async () => {
  for (const fakeServer of fakeServers.splice(0)) await fakeServer.close();
});

const accept = (response: ServerResponse, { items }: Request) =>
  respondJson(response, 200, { success: true, count: items.length });

/** Starts a server that takes traces and scores, and collects its requests. */
async function listen(
  respond: (response: ServerResponse, request: Request, number: number) => unknown = accept,
) {
  const requests: Request[] = [];
  const fakeServer = await startFakeServer(async ({ url: path = "" }, response, body) => {
    const { traces, scores } = JSON.parse(body);
    const request = { path, items: traces ?? scores };
    requests.push(request);
    await respond(response, request, requests.length);
  });
  fakeServers.push(fakeServer);
  const itemsOf = (path: string) => requests.filter((one) => one.path === path).flatMap(({ items }) => items);
  return {
    requests,
    paths: () => requests.map(({ path }) => path),
    traces: () => itemsOf("/api/traces"),
    scores: () => itemsOf("/api/scores"),
    settings: { url: fakeServer.url, apiKey: "wt_test" },
  };
}

/** Long enough for a machine that stops for a while. */
const flushAll = () => flush({ timeoutMs: 30_000 });

describe("a score", () => {
  it("judges the run, a span, or a trace by its id", async () => {
    const { traces, scores, settings } = await listen();
    const { errors } = useTestClient(settings);
    await trace("agent", { id: "t-1" }, async (t) => {
      score("helpful", false, { source: "user", comment: "no" });
      await span("search", (s) => {
        score("inside a span", 1);
        s.score("relevance", 0.2, { label: "fail", source: "judge", author: "j@1", metadata: { k: [1] } });
      });
      t.score("polite", "rude", { id: "own" });
      score("of a decision", true, { decisionId: "d1" });
    });
    score("later", true, { traceId: "of another process", source: "user", author: "u-1" });
    expect(await flushAll()).toBe(true);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const spanId = traces()[0]?.spans[0]?.id;
    expect(spanId).toBeDefined();
    // Scores of the run wait for its trace, so the other one may be sent before them.
    const isOther = (one: SentItem) => Number(one.traceId !== "t-1");
    expect(scores().toSorted((a, b) => isOther(a) - isOther(b))).toEqual([
      { traceId: "t-1", name: "helpful", value: false, source: "user", comment: "no", timestamp },
      { traceId: "t-1", name: "inside a span", value: 1, timestamp },
      {
        traceId: "t-1",
        spanId,
        name: "relevance",
        value: 0.2,
        label: "fail",
        source: "judge",
        author: "j@1",
        metadata: { k: [1] },
        timestamp,
      },
      { traceId: "t-1", name: "polite", value: "rude", id: "own", timestamp },
      { traceId: "t-1", name: "of a decision", value: true, decisionId: "d1", timestamp },
      { traceId: "of another process", name: "later", value: true, source: "user", author: "u-1", timestamp },
    ]);
    expect(errors).toEqual([]);
    expect(stats()).toMatchObject({ sent: 1, scores: { sent: 6, dropped: 0, queued: 0 } });
  });

  it("has the time at which it was given, by the clock of its run, or the given one", async () => {
    const { scores, traces, settings } = await listen();
    useTestClient(settings);
    const t = startTrace("agent");
    t.score("early", 1);
    t.event("after it");
    t.score("imported", 1, { timestamp: new Date(0) });
    t.end();
    await flushAll();
    const [sent] = traces() as unknown as { startedAt: string; events: { timestamp: string }[] }[];
    const [early, imported] = scores();
    expect([sent?.startedAt, early?.timestamp, sent?.events[0]?.timestamp].toSorted()).toEqual([
      sent?.startedAt,
      early?.timestamp,
      sent?.events[0]?.timestamp,
    ]);
    expect(imported?.timestamp).toBe("1970-01-01T00:00:00.000Z");
  });

  it("can be given after the end of its trace, and does not send the trace again", async () => {
    const { paths, settings } = await listen();
    useTestClient(settings);
    const t = startTrace("agent");
    const s = t.span("step");
    s.end();
    t.end();
    await flushAll();
    t.score("late", true);
    s.score("late", true);
    await flushAll();
    expect(paths()).toEqual(["/api/traces", "/api/scores"]);
    expect(stats().scores.sent).toBe(2);
  });

  it("replaces one of the same place, name, source and author that has not been sent", async () => {
    const { scores, settings } = await listen();
    useTestClient(settings);
    for (const value of [true, false, true]) score("helpful", value, { traceId: "t", source: "user" });
    score("helpful", false, { traceId: "t", source: "judge" });
    score("helpful", false, { traceId: "t", source: "user", author: "u" });
    score("helpful", false, { traceId: "t", source: "user", id: "own" });
    await flushAll();
    expect(scores().map(({ value }) => value)).toEqual([true, false, false, false]);
  });

  it("is redacted and copied when it is given, and its comment is truncated to what the server stores", async () => {
    const { scores, settings } = await listen();
    const { errors } = useTestClient({
      ...settings,
      redact: (value, path) => {
        if (path === "score.metadata.bad") throw new Error("redact is broken");
        return path === "score.comment" ? String(value).replace("secret", "***") : value;
      },
    });
    const metadata = { list: [1] };
    score("a", 1, { traceId: "t", comment: `secret${"é".repeat(4_000)}`, metadata });
    metadata.list.push(2);
    score("b", 1, { traceId: "t", metadata: { bad: 1 } });
    await flushAll();
    expect(scores()).toMatchObject([
      { name: "a", comment: expect.stringMatching(/^\*\*\*é{1997}$/), metadata: { list: [1] } },
    ]);
    expect(scores()).toHaveLength(1);
    expect(errors).toMatchObject([{ code: "redact-failed" }]);
  });

  it("never throws into the agent, whatever it is given", async () => {
    const { scores, settings } = await listen();
    const { errors } = useTestClient(settings);
    const hostile = {
      get source(): never {
        throw new Error("no");
      },
    };
    const t = startTrace("agent");
    const wrong = [Number.NaN, Number.POSITIVE_INFINITY];
    for (const value of wrong) t.score("x", value);
    for (const options of [null, hostile, { comment: 7 }, { author: 1n }]) {
      t.score("x", true, options as never);
      score("x", true, options as never);
      score("x", true, { traceId: "t", ...(options === hostile ? {} : options) } as never);
    }
    t.score(Symbol("x") as never, true);
    score(undefined as never, undefined as never);
    t.score("good", true);
    t.end();
    await flushAll();
    expect(scores().at(-1)).toMatchObject({ name: "good", value: true });
    expect(errors.map(({ code }) => code)).toEqual(expect.arrayContaining(["internal", "misuse"]));
    expect(errors[0]?.message).toBe('score "x" is not finite: NaN');
  });

  it("outside any trace and without an id is reported once, without a key not at all", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    useTestClient({ url: "http://127.0.0.1:9", apiKey: "wt_test", onError: undefined });
    score("a", true);
    score("b", true);
    expect(warn.mock.calls).toEqual([['whytrace: score "a" was not recorded: it is outside any trace']]);
    useTestClient({ enabled: false });
    score("a", true, { traceId: "t" });
    startTrace("off").score("a", true);
    expect(stats().scores).toEqual({ sent: 0, dropped: 0, queued: 0 });
    warn.mockRestore();
  });
});

describe("scores are sent", () => {
  it("after the trace that they belong to, also if that has to be tried again", async () => {
    const { requests, paths, settings } = await listen((response, request, number) =>
      number <= 3 ? respondJson(response, 503, { error: "x" }) : accept(response, request),
    );
    useTestClient(settings);
    await trace("agent", () => score("helpful", true));
    await expect.poll(() => stats()).toMatchObject({ sent: 1, scores: { sent: 1 } });
    expect(paths()).toEqual([...Array(4).fill("/api/traces"), "/api/scores"]);
    expect(requests.at(-1)?.items).toHaveLength(1);
  });

  it("with the snapshots of a run that takes long", async () => {
    const { paths, scores, settings } = await listen();
    useTestClient(settings, { firstSnapshotMs: 5, sweepIntervalMs: 5 });
    const t = startTrace("agent");
    t.score("early", true);
    await expect.poll(() => scores().length).toBe(1);
    expect(paths()).toEqual(["/api/traces", "/api/scores"]);
    t.end();
  });

  it("at most 1,000 a request", async () => {
    const { requests, settings } = await listen();
    useTestClient(settings);
    for (let number = 0; number < 2_500; number++) score(`n${number}`, number, { traceId: "t" });
    expect(await flushAll()).toBe(true);
    expect(requests.map(({ items }) => items.length)).toEqual([1_000, 1_000, 500]);
  });

  it("by a flush that waits for them, and by a shutdown that ends their trace", async () => {
    const { scores, traces, settings } = await listen();
    useTestClient(settings, { batchDelayMs: 60_000 });
    const t = startTrace("agent");
    t.score("a", true);
    expect(await flushAll()).toBe(true);
    expect(scores()).toHaveLength(0);
    expect(await shutdown({ timeoutMs: 30_000 })).toBe(true);
    expect([traces().map(({ status }) => status), scores().length]).toEqual([["ERROR"], 1]);
    score("too late", true, { traceId: "t" });
    expect(stats().scores).toEqual({ sent: 1, dropped: 0, queued: 0 });
  });

  it("within waitUntil: with their trace, and on their own after its end", async () => {
    const { scores, settings } = await listen();
    const promises: Promise<unknown>[] = [];
    useTestClient(
      { ...settings, waitUntil: (promise) => promises.push(promise) },
      { batchDelayMs: 60_000, flushTimeoutMs: 30_000 },
    );
    const t = startTrace("agent");
    t.score("inside", true);
    t.end();
    expect(promises).toHaveLength(1);
    await Promise.all(promises);
    expect(scores()).toHaveLength(1);
    t.score("late", true);
    score("by id", true, { traceId: "t" });
    await Promise.all(promises);
    expect(scores()).toHaveLength(3);
  });

  it("in the order in which their traces are free: one whose trace waits does not hold up others", async () => {
    const { scores, settings } = await listen((response, request) =>
      request.path === "/api/traces"
        ? respondJson(response, 429, { error: "Limit" }, { "retry-after": "86400" })
        : accept(response, request),
    );
    useTestClient(settings);
    const t = startTrace("over the limit");
    t.score("waits", true);
    t.end();
    score("free", true, { traceId: "another" });
    // It does not wait for what cannot be sent.
    expect(await flush({ timeoutMs: 600_000 })).toBe(false);
    expect(scores().map(({ name }) => name)).toEqual(["free"]);
    expect(stats()).toMatchObject({ queued: 1, scores: { sent: 1, queued: 1 } });
  });
});

describe("a server that", () => {
  it("refuses one score (400) gets the others; the refused one is reported", async () => {
    const { scores, settings } = await listen((response, request) =>
      request.items.some(({ name }) => name === "bad")
        ? respondJson(response, 400, { error: "Invalid score source: x" })
        : accept(response, request),
    );
    const { errors } = useTestClient(settings);
    for (const name of ["a", "b", "bad", "c"]) score(name, true, { traceId: "t" });
    expect(await flushAll()).toBe(true);
    expect(new Set(scores().map(({ name }) => name))).toEqual(new Set(["a", "b", "bad", "c"]));
    expect(stats().scores).toEqual({ sent: 3, dropped: 1, queued: 0 });
    expect(errors).toMatchObject([
      { code: "score-refused", message: expect.stringMatching(/^score "bad".*Invalid score/), traceId: "t" },
    ]);
  });

  it("refuses a score gets the one that was given in its place meanwhile", async () => {
    const { settings } = await listen((response, { items }) => {
      if (items[0]?.value !== "wrong") return respondJson(response, 200, { success: true, count: 1 });
      score("a", "right", { traceId: "t" });
      return respondJson(response, 400, { error: "Invalid" });
    });
    useTestClient(settings);
    score("a", "wrong", { traceId: "t" });
    expect(await flushAll()).toBe(true);
    expect(stats().scores).toEqual({ sent: 1, dropped: 1, queued: 0 });
  });

  it("limits scores (429) still gets traces", async () => {
    const { traces, settings } = await listen((response, request) =>
      request.path === "/api/scores"
        ? respondJson(response, 429, { error: "Too many scores wait" }, { "retry-after": "3600" })
        : accept(response, request),
    );
    useTestClient(settings);
    score("a", true, { traceId: "t" });
    expect(await flushAll()).toBe(false);
    startTrace("agent").end();
    expect(await flushAll()).toBe(false);
    expect(traces()).toHaveLength(1);
    expect(stats()).toMatchObject({ queued: 0, scores: { queued: 1 } });
  });

  it("is down fills the queue up to its limits; the oldest scores are dropped and counted", async () => {
    const { settings } = await listen((response) => respondJson(response, 503, { error: "x" }));
    const { errors } = useTestClient(settings, { maxQueued: { trace: 10, score: 10 }, batchDelayMs: 60_000 });
    for (let number = 0; number < 12; number++) score(`n${number}`, true, { traceId: "t" });
    expect(stats().scores).toEqual({ sent: 0, dropped: 2, queued: 10 });
    expect(errors).toMatchObject(Array(2).fill({ code: "queue-full" }));
    useTestClient(settings, { maxQueuedWeight: 1_000_000, batchDelayMs: 60_000 });
    for (let number = 0; number < 20; number++)
      score(`n${number}`, true, { traceId: "t", metadata: { x: "x".repeat(100_000) } });
    expect(stats().scores).toEqual({ sent: 0, dropped: 11, queued: 9 });
  });

  it("keeps at most 1,000 scores of a trace, so no more wait for a running one", async () => {
    const { settings } = await listen();
    useTestClient(settings);
    const t = startTrace("agent");
    for (let number = 0; number < 1_005; number++) t.score(`n${number}`, true);
    expect(stats().scores.dropped).toBe(5);
    t.end();
    await flushAll();
    expect(stats().scores).toEqual({ sent: 1_000, dropped: 5, queued: 0 });
  });
});

describe("sampling", () => {
  const sampledOut = { sampleRate: 0 };

  it.each<[string, string | number | boolean, { label?: string }, boolean]>([
    ["false", false, {}, true],
    ["a failing label", "Incorrect", {}, true],
    ["a failing label of a number", 0.2, { label: "FAILED" }, true],
    ["a label that begins with not", "not_relevant", {}, true],
    ["true", true, {}, false],
    ["a small number", 0, {}, false],
    ["another label", "nothing", {}, false],
  ])(
    "keeps a run outside the sample that got %s before its end: %j %j → %j",
    async (_, value, options, isKept) => {
      const { traces, scores, settings } = await listen();
      useTestClient({ ...settings, ...sampledOut });
      await trace("agent", () => {
        score("first", true);
        score("second", value, options);
        event("e");
      });
      await flushAll();
      expect([traces().length, scores().length]).toEqual(isKept ? [1, 2] : [0, 0]);
      expect(stats().sampledOut).toBe(isKept ? 0 : 1);
    },
  );

  it("leaves out the scores of a run that it leaves out: late ones, and those given by its id", async () => {
    const { requests, settings } = await listen();
    useTestClient({ ...settings, ...sampledOut });
    const t = startTrace("agent");
    t.end();
    t.score("late", false);
    score("by id", false, { traceId: t.id });
    useTestClient({ ...settings, ...sampledOut, keepErrors: false });
    await trace("agent", (handle) => {
      score("inside", false);
      handle.score("inside", false);
      score("by id", false, { traceId: handle.id });
    });
    await flushAll();
    expect(requests).toEqual([]);
    expect(stats().scores).toEqual({ sent: 0, dropped: 0, queued: 0 });
  });

  it("sends the scores of a run that fails after its end", async () => {
    const { traces, scores, settings } = await listen();
    useTestClient({ ...settings, ...sampledOut });
    const t = startTrace("agent");
    t.score("inside", true);
    t.end();
    await flushAll();
    expect(traces()).toHaveLength(0);
    t.fail(new Error("the stream broke"));
    await flushAll();
    expect([traces().length, scores().length]).toEqual([1, 1]);
  });

  it("sends every score of a run in the sample", async () => {
    const { traces, scores, settings } = await listen();
    useTestClient({ ...settings, sampleRate: 0.5 });
    const kept: string[] = [];
    for (let number = 0; number < 40; number++) {
      const t = startTrace("agent", { id: `t-${number}` });
      t.score("inside", true);
      t.end();
      t.score("late", true);
      score("by id", true, { traceId: t.id });
    }
    await flushAll();
    for (const { id } of traces()) kept.push(id);
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.length).toBeLessThan(35);
    expect(
      scores()
        .map(({ name, traceId }) => `${name} ${traceId}`)
        .toSorted(),
    ).toEqual(kept.flatMap((id) => ["inside", "late", "by id"].map((name) => `${name} ${id}`)).toSorted());
  });
});

describe("against the real server", async () => {
  const { server, client, db } = await boot();

  it("scores are stored on the run, its span and a trace that is not there yet; a sent one again is one", async () => {
    const sender = await newSender(client, db);
    const { errors } = useTestClient({ url: server.url, apiKey: sender.key });
    const t = startTrace("agent");
    const s = t.span("step");
    s.score("relevance", 0.2, { label: "fail", source: "judge", comment: "é".repeat(3_000) });
    t.score("helpful", false, { source: "user", author: "u-1", metadata: { page: 1 } });
    s.end();
    t.end();
    score("helpful", true, { traceId: "unknown" });
    expect(await flushAll()).toBe(true);
    t.score("helpful", true, { source: "user", author: "u-1" });
    expect(await flushAll()).toBe(true);
    expect([errors, stats().scores]).toEqual([[], { sent: 4, dropped: 0, queued: 0 }]);
    const { scores } = (await sender.get("/api/scores")).json;
    const byPlace = scores.map((one: Record<string, unknown>) => [
      one.name,
      one.traceId === t.id ? "here" : one.traceId,
      one.spanId,
      one.value,
      one.source,
      one.isWaiting,
    ]);
    expect(byPlace.toSorted()).toEqual([
      ["helpful", "here", null, true, "user", false],
      ["helpful", "unknown", null, true, "code", true],
      ["relevance", "here", s.id, 0.2, "judge", false],
    ]);
  });

  it("an invalid score is the only one dropped", async () => {
    const sender = await newSender(client, db);
    const { errors } = useTestClient({ url: server.url, apiKey: sender.key });
    for (const name of ["a", "n".repeat(201), "b", "a\0", "c"]) score(name, true, { traceId: "t" });
    score("d", true, { traceId: "t", source: "nobody" as never });
    expect(await flushAll()).toBe(true);
    expect(stats().scores).toEqual({ sent: 3, dropped: 3, queued: 0 });
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill("score-refused"));
  });

  it("a token of a run lets a page vote on it, and the run says that it was asked", async () => {
    const sender = await newSender(client, db);
    useTestClient({ url: server.url, apiKey: sender.key });
    const [token, id] = await trace("agent", (t) => [feedbackToken("helpful", { author: "u-1" }), t.id]);
    expect(await flushAll()).toBe(true);
    const voted = await fetch(`${server.url}/api/feedback`, {
      method: "POST",
      body: JSON.stringify({ token, value: false }),
    });
    expect(voted.status).toBe(200);
    expect((await sender.get("/api/scores")).json.scores).toMatchObject([
      { traceId: id, name: "helpful", value: false, source: "user", author: "u-1", isWaiting: false },
    ]);
    expect((await sender.get(`/api/traces/${id}`)).json.metadata).toEqual({
      "whytrace.feedback": ["helpful"],
    });
  });

  it("a trace of several services says on its own span that it was asked", async () => {
    const sender = await newSender(client, db);
    useTestClient({ url: server.url, apiKey: sender.key });
    const id = await trace("agent", continueTrace(undefined), (t) => {
      feedbackToken("helpful");
      return t.id;
    });
    expect(await flushAll()).toBe(true);
    const { spans } = (await sender.get(`/api/traces/${id}`)).json;
    expect(spans).toMatchObject([{ name: "agent", metadata: { "whytrace.feedback": ["helpful"] } }]);
  });
});
