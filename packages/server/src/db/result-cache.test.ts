import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import type { Client } from "@whytrace/testing/server/client.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { REUSE, ResultCache } from "./result-cache.ts";
import { asWorkspaceId } from "./workspace-id.ts";

const WORKSPACE = asWorkspaceId("a");

let first: Booted;
let second: Booted;
let alice: Sender;
beforeAll(async () => {
  first = await boot();
  second = await boot({ DATABASE_URL: first.databaseUrl });
  alice = await newSender(first.client, first.db);
});

/** Requests the total from both servers, twice each: the second response comes from the cache. */
async function totals(path: string): Promise<number[]> {
  const onSecond = alice.at(second.client.url);
  const found: number[] = [];
  for (const client of [alice, onSecond, alice, onSecond]) found.push((await client.get(path)).json.total);
  return found;
}
const everywhere = (total: number) => [total, total, total, total];

describe("a cached result", () => {
  it("is exact after every change, on every server", async () => {
    const search = "/api/traces?search=needle";
    const decisions = "/api/decisions?search=needle";
    expect(await totals(search)).toEqual(everywhere(0));
    const sent = trace({ name: "a needle", decisionPoints: [decision(), decision()] });
    await alice.send([sent]);
    expect(await totals(search)).toEqual(everywhere(1));
    expect(await totals(decisions)).toEqual(everywhere(2));
    // Changes no stored total, only the text that the search matches.
    await alice.send([{ ...sent, name: "hay" }]);
    expect(await totals(search)).toEqual(everywhere(0));
    expect(await totals(decisions)).toEqual(everywhere(0));
    await alice.send([sent]);
    expect(await totals(search)).toEqual(everywhere(1));
    await alice.delete(`/api/traces/${sent.id}`);
    expect(await totals(search)).toEqual(everywhere(0));
    expect(await totals(decisions)).toEqual(everywhere(0));
  });

  it("of a chart is exact after every change, on every server", async () => {
    const range = "from=2026-05-01&to=2026-05-08";
    const counts = async (client: Client) => {
      const [traces, errors, choices] = await Promise.all(
        ["traces", "errors", "choices"].map(
          async (kind) => (await client.get(`/api/stats/${kind}?${range}`)).json,
        ),
      );
      return [traces.total.traces.ERROR, errors.errors.length, choices.choices.length];
    };
    const onSecond = alice.at(second.client.url);
    const all = async () => [await counts(alice), await counts(onSecond), await counts(onSecond)];
    const expectAll = async (expected: number[][]) => expect(await all()).toEqual(expected);
    await expectAll([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const startedAt = "2026-05-02T10:00:00.000Z";
    const sent = trace({
      status: "ERROR",
      startedAt,
      spans: [span({ status: "ERROR", startedAt })],
      decisionPoints: [decision({ chosen: "it", timestamp: startedAt })],
    });
    await alice.send([sent]);
    await expectAll([
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ]);
    await alice.send([{ ...sent, status: "COMPLETED", spans: [] }]);
    await expectAll([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    await alice.send([sent]);
    await alice.delete(`/api/traces/${sent.id}`);
    await expectAll([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it("is not shared between users", async () => {
    const bob = await newSender(first.client, first.db);
    await alice.send([trace({ name: "shared word" })]);
    const path = "/api/traces?search=shared";
    expect((await alice.get(path)).json.total).toBe(1);
    expect((await bob.get(path)).json.total).toBe(0);
  });
});

describe("a result that takes long", () => {
  const { expensiveMs } = REUSE;
  beforeEach(() => {
    REUSE.expensiveMs = 200;
    vi.useFakeTimers();
  });
  afterEach(() => {
    REUSE.expensiveMs = expensiveMs;
    vi.useRealTimers();
  });

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const slowly = (value: number, ms: number) => async () => {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    return value;
  };

  it("is computed once for equal calls at the same time", async () => {
    const cache = new ResultCache<number>(10);
    const results = [1, 2, 3].map((value) => cache.get({ version: 1 }, WORKSPACE, "q", slowly(value, 20)));
    await pass(20);
    expect(await Promise.all(results)).toEqual([1, 1, 1]);
  });

  it("is used for later versions for ten times as long as it took", async () => {
    const cache = new ResultCache<number>(10);
    const get = (version: number, value: number, ms: number) =>
      cache.get({ version }, WORKSPACE, "q", slowly(value, ms));
    const first = get(1, 1, 250);
    await pass(250);
    expect(await first).toBe(1);
    expect(await get(2, 2, 0)).toBe(1);
    await pass(2_499);
    expect(await get(3, 3, 0)).toBe(1);
    await pass(1);
    expect(await get(4, 4, 0)).toBe(4);
    expect(await get(5, 5, 0)).toBe(5);
  });

  it("is joined by a call for a later version only after it has run for a while", async () => {
    const cache = new ResultCache<number>(10);
    const first = cache.get({ version: 1 }, WORKSPACE, "q", slowly(1, 400));
    await pass(300);
    const joined = cache.get({ version: 2 }, WORKSPACE, "q", slowly(2, 0));
    await pass(100);
    expect([await first, await joined]).toEqual([1, 1]);
    const quick = cache.get({ version: 1 }, WORKSPACE, "other", slowly(1, 400));
    await pass(200);
    expect(await cache.get({ version: 2 }, WORKSPACE, "other", slowly(2, 0))).toBe(2);
    await pass(200);
    expect(await quick).toBe(1);
  });

  it("is dropped when results that were used later take the memory, and not kept at all if it takes more alone", async () => {
    const cache = new ResultCache<number>(10, { memory: { maxBytes: 100, sizeOf: (bytes) => bytes } });
    const isCached = async (query: string) =>
      (await cache.get({ version: 1 }, WORKSPACE, query, slowly(-1, 0))) !== -1;
    const put = (query: string, bytes: number) =>
      cache.get({ version: 1 }, WORKSPACE, query, slowly(bytes, 0));
    await put("first", 60);
    await put("second", 30);
    expect(await isCached("first")).toBe(true);
    await put("third", 40);
    expect([await isCached("first"), await isCached("third")]).toEqual([true, true]);
    await put("too large", 101);
    expect([await isCached("first"), await isCached("third")]).toEqual([true, true]);
    expect([await isCached("second"), await isCached("too large")]).toEqual([false, false]);
  });

  it("that fails is not kept", async () => {
    const cache = new ResultCache<number>(10);
    const failing = cache.get({ version: 1 }, WORKSPACE, "q", () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await cache.get({ version: 1 }, WORKSPACE, "q", slowly(2, 0))).toBe(2);
  });
});
