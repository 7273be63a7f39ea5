import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FakeServer, respondJson, startFakeServer } from "../../test/fake-server.ts";
import { useTestClient } from "../../test/use-test-client.ts";
import { flush, startTrace, stats } from "../index.ts";

interface Request {
  names: string[];
  bytes: number;
  atMs: number;
}

const fakeServers: FakeServer[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const fakeServer of fakeServers.splice(0)) await fakeServer.close();
});

/** Starts a fake ingest endpoint and collects its requests. */
async function listen(respond: (response: ServerResponse, request: Request, number: number) => unknown) {
  const requests: Request[] = [];
  const fakeServer = await startFakeServer(async (_, response, body) => {
    const names = JSON.parse(body).traces.map((one: { name: string }) => one.name);
    const request = { names, bytes: Buffer.byteLength(body), atMs: performance.now() };
    requests.push(request);
    await respond(response, request, requests.length);
  });
  fakeServers.push(fakeServer);
  return { requests, settings: { url: fakeServer.url, apiKey: "wt_test" } };
}

/**
 * Stops the clock, which then moves only when the test moves it, and answers requests in memory: `respond` returns the status
 * and the headers, or nothing if the server never responds.
 */
function stopClock(
  respond: (number: number) => { status: number; headers?: Record<string, string> } | undefined,
) {
  vi.useFakeTimers();
  const requests: Pick<Request, "names" | "atMs">[] = [];
  const settings = {
    apiKey: "wt_test",
    async fetch(_: string, { body }: { body: string }) {
      const names: string[] = JSON.parse(body).traces.map((one: { name: string }) => one.name);
      requests.push({ names, atMs: performance.now() });
      const { status, headers = {} } = respond(requests.length) ?? (await new Promise<never>(() => {}));
      const text = JSON.stringify(
        status === 200 ? { success: true, count: names.length } : { error: "not now" },
      );
      return { status, headers: { get: (name: string) => headers[name] ?? null }, text: async () => text };
    },
  };
  return { requests, settings, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

const accept = (response: ServerResponse, { names }: Request) =>
  respondJson(response, 200, { success: true, count: names.length });
const record = (...names: string[]) => {
  for (const name of names) startTrace(name).end();
};

describe("a batch", () => {
  it("is sent after its delay, or immediately at 50 traces or 4 MiB", async () => {
    const { requests, settings } = await listen(accept);
    useTestClient(settings, { batchDelayMs: 300 });
    const startMs = performance.now();
    record("a", "b");
    await expect.poll(() => requests).toHaveLength(1);
    expect((requests[0]?.atMs ?? 0) - startMs).toBeGreaterThan(290);
    expect(requests[0]?.names).toEqual(["a", "b"]);
    // The delay is longer than the test may take: what is sent is sent without it.
    useTestClient(settings, { batchDelayMs: 600_000 });
    record(...Array.from({ length: 120 }, (_, index) => `n${index}`));
    await expect.poll(() => requests).toHaveLength(4);
    expect(requests.slice(1).map(({ names }) => names.length)).toEqual([50, 50, 20]);
    for (let number = 0; number < 5; number++)
      startTrace(`big ${number}`, { metadata: { text: "é".repeat(600_000) } }).end();
    await expect.poll(() => requests.flatMap(({ names }) => names)).toHaveLength(127);
    expect(requests.slice(4).map(({ names }) => names.length)).toEqual([3, 2]);
  });

  it.runIf(IS_WHOLE)(
    "never has a body over 10 MiB; a span's output of 50 MB is truncated with a marker",
    async () => {
      const bodies: string[] = [];
      const fakeServer = await startFakeServer((_, response, body) => {
        bodies.push(body);
        respondJson(response, 200, { success: true, count: JSON.parse(body).traces.length });
      });
      fakeServers.push(fakeServer);
      useTestClient({ url: fakeServer.url, apiKey: "wt_test" });
      const t = startTrace("huge");
      await t.decide("CUSTOM", { options: ["a", "b"], chosen: "a", reasoning: "r".repeat(100_000) });
      await t.span("dump", () => "x".repeat(50_000_000));
      await t.span("quotes", () => '"'.repeat(7_000_000));
      await t.span("ideographs", () => "漢".repeat(6_000_000));
      await t.span("zeros", () => Array(2_000_000).fill(0));
      t.end();
      for (let number = 0; number < 4; number++)
        startTrace("nul", { metadata: { text: "\0".repeat(2_500_000) } }).end();
      expect(await flush({ timeoutMs: 100_000 })).toBe(true);
      for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(10 * 1_024 * 1_024);
      const [huge] = JSON.parse(bodies[0] ?? "").traces;
      expect(huge.spans[0].output).toMatch(
        /^x{1000000,}… \[truncated by whytrace: 50000000 characters in all\]$/,
      );
      expect(huge.decisionPoints[0].reasoning).toHaveLength(100_000);
      expect(stats()).toMatchObject({ sent: 5, dropped: 0 });
    },
  );
});

describe("an unreachable server", () => {
  it.each([
    ["closes the connection", (response: ServerResponse) => response.socket?.destroy()],
    ["is another web server", (response: ServerResponse) => response.end("<h1>It works!</h1>")],
    ["responds with 503", (response: ServerResponse) => respondJson(response, 503, { error: "x" })],
    ["responds with 500", (response: ServerResponse) => respondJson(response, 500, { error: "x" })],
    ["redirects", (response: ServerResponse) => response.writeHead(302, { location: "/" }).end()],
  ])("gets every trace exactly once when it is back: %s", async (_, fail) => {
    const { requests, settings } = await listen((response, request, number) =>
      number <= 9 ? fail(response) : accept(response, request),
    );
    const { errors } = useTestClient(settings, { maxRetryDelayMs: 10 });
    record("a", "b");
    await expect.poll(() => stats().sent).toBe(2);
    expect(requests.at(-1)?.names.toSorted()).toEqual(["a", "b"]);
    expect(stats()).toMatchObject({ dropped: 0, queued: 0 });
    expect(errors.every(({ code }) => code === "unreachable")).toBe(true);
  });

  it("is retried with exponential backoff and jitter, up to the maximum delay", async () => {
    const { requests, settings, pass } = stopClock(() => ({ status: 503 }));
    useTestClient(settings, { retryDelayMs: 50, maxRetryDelayMs: 300, batchDelayMs: 1 });
    record("a");
    await pass(2_000);
    const pauses = requests.slice(1).map(({ atMs }, index) => atMs - (requests[index]?.atMs ?? 0));
    for (const [index, expected] of [50, 100, 200].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(Math.floor(expected * 0.75));
      expect(pauses[index]).toBeLessThanOrEqual(Math.ceil(expected * 1.25) + 1);
    }
    expect(pauses.slice(3, 6)).toEqual([300, 300, 300]);
  });

  it("delays a flush no longer than its timeout", async () => {
    const { requests, settings, pass } = stopClock(() => undefined);
    useTestClient(settings);
    record("a");
    let isAllSent: boolean | undefined;
    void flush({ timeoutMs: 100 }).then((result) => {
      isAllSent = result;
    });
    await pass(99);
    expect([requests.length, isAllSent]).toEqual([1, undefined]);
    await pass(1);
    expect(isAllSent).toBe(false);
    expect(stats().queued).toBe(1);
  });

  it("fills the queue up to its limit: snapshots are dropped first, then the oldest traces, and each is counted", async () => {
    const { requests, settings } = await listen((response, request, number) =>
      number === 1
        ? respondJson(response, 503, { error: "x" }, { "retry-after": "60" })
        : accept(response, request),
    );
    const { errors } = useTestClient(settings, {
      maxQueued: { trace: 10, score: 10 },
      firstSnapshotMs: 5,
      sweepIntervalMs: 5,
      batchDelayMs: 20,
      maxRetryDelayMs: 60_000,
    });
    record("first");
    await expect.poll(() => errors).toMatchObject([{ code: "unreachable" }]);
    const running = startTrace("running");
    await expect.poll(() => stats().queued).toBe(2);
    record(...Array.from({ length: 9 }, (_, index) => `n${index}`));
    expect(stats()).toMatchObject({ queued: 10, dropped: 0, snapshotsDropped: 1 });
    record("last 1", "last 2");
    expect(stats()).toMatchObject({ queued: 10, dropped: 2, snapshotsDropped: 1 });
    expect(errors.filter(({ code }) => code === "queue-full")).toHaveLength(2);
    await flush();
    expect(requests.slice(1).flatMap(({ names }) => names)).toEqual([
      ...Array.from({ length: 8 }, (_, index) => `n${index + 1}`),
      "last 1",
      "last 2",
    ]);
    running.end();
    await flush();
    expect(stats()).toMatchObject({ sent: 11, dropped: 2, queued: 0 });
  });

  it("fills the queue up to its limit in bytes, too", async () => {
    const { settings } = await listen((response) => respondJson(response, 503, { error: "x" }));
    useTestClient(settings, { maxQueuedWeight: 1_000_000 });
    for (let number = 0; number < 20; number++)
      startTrace("t", { metadata: { x: "x".repeat(100_000) } }).end();
    expect(stats()).toMatchObject({ queued: 9, dropped: 11 });
  });
});

it("a trace with an unconfirmed snapshot is sent again after the delay, even if it changes meanwhile", async () => {
  const { requests, settings, pass } = stopClock((number) => ({ status: number === 1 ? 502 : 200 }));
  useTestClient(settings, {
    firstSnapshotMs: 5,
    sweepIntervalMs: 5,
    retryDelayMs: 1_000,
    maxRetryDelayMs: 1_000,
    resendDelayMs: 300,
  });
  const t = startTrace("running");
  await pass(100);
  expect(requests).toHaveLength(1);
  t.end();
  expect(await flush()).toBe(true);
  t.event("late");
  expect(await flush()).toBe(true);
  expect(requests).toHaveLength(3);
  await pass(299);
  expect(requests).toHaveLength(3);
  await pass(100);
  expect(requests).toHaveLength(4);
  expect(stats()).toMatchObject({ sent: 1, dropped: 0, queued: 0 });
});

describe("a refusal", () => {
  it("of a batch (400) drops only the invalid trace and reports its name", async () => {
    const { requests, settings } = await listen((response, request) =>
      request.names.includes("bad")
        ? respondJson(response, 400, { error: "Invalid x" })
        : accept(response, request),
    );
    const { errors } = useTestClient(settings);
    record(...Array.from({ length: 30 }, (_, index) => `n${index}`), "bad", "last");
    expect(await flush()).toBe(true);
    expect(stats()).toMatchObject({ sent: 31, dropped: 1 });
    expect(errors).toMatchObject([
      {
        code: "trace-refused",
        message: expect.stringMatching(/"bad".*400 Invalid x/),
        traceId: expect.any(String),
      },
    ]);
    expect(requests.length).toBeLessThanOrEqual(12);
  });

  it("of one trace with 500 every time drops only that trace, once the server accepts others", async () => {
    const { settings } = await listen((response, request) =>
      request.names.includes("bad")
        ? respondJson(response, 500, { error: "bug" })
        : accept(response, request),
    );
    useTestClient(settings, { maxRetryDelayMs: 10 });
    record("a", "bad", "b");
    await expect.poll(() => stats()).toMatchObject({ sent: 2, dropped: 1, queued: 0 });
  });

  it("as too large (413) splits the batch, then truncates the trace", async () => {
    const { requests, settings } = await listen((response, request) =>
      request.bytes > 300_000
        ? respondJson(response, 413, { error: "too large" })
        : accept(response, request),
    );
    useTestClient(settings);
    for (let number = 0; number < 4; number++)
      startTrace(`n${number}`).end({ metadata: { x: "x".repeat(100_000) } });
    const t = startTrace("whale");
    t.span("s").end({ output: "x".repeat(1_000_000) });
    t.end();
    expect(await flush({ timeoutMs: 60_000 })).toBe(true);
    expect(stats()).toMatchObject({ sent: 5, dropped: 0 });
    expect(requests.at(-1)?.names).toEqual(["whale"]);
  });

  it.each([401, 403])("of the key (%i) stops recording and is reported once", async (status) => {
    const { requests, settings } = await listen((response) => respondJson(response, status, { error: "No" }));
    const { client, errors } = useTestClient(settings);
    record("a", "b");
    expect(await flush()).toBe(true);
    record("c");
    await sleep(40);
    expect(requests).toHaveLength(1);
    expect(client.isRecording).toBe(false);
    expect(errors).toMatchObject([{ code: "key-refused" }]);
    expect(stats()).toMatchObject({ dropped: 2, queued: 0 });
  });

  it("by a rate limit (429) queues finished traces until Retry-After and drops snapshots", async () => {
    const { requests, settings, pass } = stopClock((number) =>
      number === 1 ? { status: 429, headers: { "retry-after": "1" } } : { status: 200 },
    );
    const { errors } = useTestClient(settings, { firstSnapshotMs: 5, sweepIntervalMs: 5 });
    const running = startTrace("running");
    await pass(8);
    record("a");
    await pass(20);
    expect(requests.map(({ names }) => names)).toEqual([["running", "a"]]);
    record("b");
    expect(await flush({ timeoutMs: 500 })).toBe(false);
    expect(errors).toMatchObject([{ code: "rate-limited" }]);
    await pass(950);
    expect(requests).toHaveLength(1);
    await pass(100);
    expect(requests.slice(1).map(({ names }) => names)).toEqual([["a", "b"]]);
    running.end();
    expect(stats().snapshotsDropped).toBeGreaterThanOrEqual(1);
  });
});

describe("a rate limit", () => {
  const limitOnce =
    (retryAfter: string) =>
    async (response: ServerResponse, request: Request, number: number): Promise<void> =>
      number === 1
        ? respondJson(response, 429, { error: "Too many requests" }, { "retry-after": retryAfter })
        : accept(response, request);

  it("that ends before a flush times out delays the flush", async () => {
    const { requests, settings } = await listen(limitOnce("1"));
    useTestClient(settings);
    record("a");
    expect(await flush({ timeoutMs: 60_000 })).toBe(true);
    expect((requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0)).toBeGreaterThan(950);
    expect(stats()).toMatchObject({ sent: 1, dropped: 0 });
  });

  it("of a day is tried again earlier, because the plan may change", async () => {
    const { requests, settings } = await listen(limitOnce("86400"));
    useTestClient(settings, { maxRetryAfterMs: 100 });
    record("a");
    await expect.poll(() => stats()).toMatchObject({ sent: 1, queued: 0 });
    expect((requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0)).toBeGreaterThan(90);
  });
});

describe("against the real server", async () => {
  const { server, client, db } = await boot();

  it("a trace that a proxy makes invalid is the only one dropped", async () => {
    const proxy = await startFakeServer(async (request, response, body) => {
      const forwarded = await fetch(server.url + request.url, {
        method: "POST",
        headers: { authorization: request.headers.authorization ?? "" },
        body: body.replace(
          '"name":"to be broken","status":"COMPLETED"',
          '"name":"to be broken","status":"BROKEN"',
        ),
      });
      response.writeHead(forwarded.status).end(await forwarded.text());
    });
    fakeServers.push(proxy);
    const sender = await newSender(client, db);
    const { errors } = useTestClient({ url: proxy.url, apiKey: sender.key });
    record("one", "to be broken", "two", "three");
    expect(await flush({ timeoutMs: 60_000 })).toBe(true);
    expect(stats()).toMatchObject({ sent: 3, dropped: 1 });
    expect(errors).toMatchObject([{ message: expect.stringContaining("Invalid trace status: BROKEN") }]);
    const { traces } = (await sender.get("/api/traces?limit=100")).json;
    expect(traces.map((one: { name: string }) => one.name).toSorted()).toEqual(["one", "three", "two"]);
  });

  it("a trace over the plan's limit stays queued", async () => {
    const free = await newSender(client, db, "FREE");
    const { errors } = useTestClient({ url: server.url, apiKey: free.key });
    record(...Array.from({ length: 20 }, (_, index) => `n${index}`));
    expect(await flush()).toBe(true);
    record("one more");
    await expect
      .poll(() => errors)
      .toMatchObject([{ code: "rate-limited", message: expect.stringContaining("Rate limit exceeded") }]);
    expect(await flush({ timeoutMs: 2_000 })).toBe(false);
    expect(stats()).toMatchObject({ sent: 20, dropped: 0, queued: 1 });
  });

  it("a trace recorded with invalid arguments is corrected and accepted", async () => {
    const sender = await newSender(client, db);
    const { errors } = useTestClient({ url: server.url, apiKey: sender.key });
    const wrong = {
      tags: ["ok", 7, "x".repeat(5_000), null],
      sessionId: "\0\ud800",
      metadata: { deep: "\0" },
    } as never;
    const t = startTrace("", wrong);
    t.span("n".repeat(100_000), { type: "NO_SUCH_TYPE" } as never).end({
      tokenCount: Number.NaN,
      costUsd: "1",
    } as never);
    t.event(7 as never, { type: "X", metadata: 1n } as never);
    await t.decide("NOPE" as never, { options: [1n, Symbol("x")], chosen: 1n });
    t.set({ tags: 7 } as never);
    t.end(null as never);
    expect(await flush({ timeoutMs: 60_000 })).toBe(true);
    expect(stats().sent).toBe(1);
    expect(errors.map(({ code }) => code)).toEqual(expect.arrayContaining(["internal"]));
  });
});
