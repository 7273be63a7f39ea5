import { afterEach, expect, it, vi } from "vitest";
import { FairPool, type FairPoolOptions } from "./fair-pool.ts";
import { Overloaded } from "./overloaded.ts";
import { RecentCallers } from "./recent-callers.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Runs calls named after their user and records in which order they start. A call takes some time or ends with a promise. */
function recorder(options: Partial<FairPoolOptions> = {}) {
  const pool = new FairPool({ maxRunning: 1, maxWaitingPerCaller: 100, ...options });
  const started: string[] = [];
  let most = 0;
  const call = (user: string, work: number | Promise<void> = 2) =>
    pool.run(user, async () => {
      started.push(user);
      most = Math.max(most, pool.running);
      await (typeof work === "number" ? new Promise((resolve) => setTimeout(resolve, work)) : work);
    });
  return { pool, started, call, most: () => most };
}

it("serves users round robin: one with many waiting calls delays another by one call", async () => {
  const { started, call } = recorder();
  await Promise.all([...Array.from({ length: 20 }, () => call("noisy")), call("quiet")]);
  expect(started.indexOf("quiet")).toBe(2);
});

it("gives each user with waiting calls the same number of calls", async () => {
  const { started, call } = recorder();
  await Promise.all(["a", "a", "a", "a", "b", "b", "c", "c"].map((user) => call(user)));
  expect(started.slice(1, 7)).toEqual(["a", "b", "c", "a", "b", "c"]);
});

it("leaves the rest of the pool to others when a user runs as much as allowed", async () => {
  const { pool, started, call, most } = recorder({ maxRunning: 4, maxRunningPerCaller: 2 });
  const ended = Promise.withResolvers<void>();
  const noisy = Promise.all(Array.from({ length: 10 }, () => call("noisy", ended.promise)));
  expect(pool.running).toBe(2);
  expect(pool.waiting).toBe(8);
  const quiet = call("quiet");
  expect(started).toEqual(["noisy", "noisy", "quiet"]);
  await quiet;
  expect(pool.waiting).toBe(8);
  ended.resolve();
  await noisy;
  expect(most()).toBe(3);
  expect(pool.running).toBe(0);
});

it("refuses a call when too many of its user wait, and says that the user is the cause", async () => {
  const { call } = recorder({ maxWaitingPerCaller: 2, maxRunningPerCaller: 1 });
  const accepted = [call("noisy"), call("noisy"), call("noisy")];
  await expect(call("noisy")).rejects.toMatchObject({ isOwnShare: true });
  await Promise.all([...accepted, call("quiet")]);
});

it("refuses a call that waits for too long, and says whose work it waited for", async () => {
  const { call } = recorder({ maxRunning: 2, maxRunningPerCaller: 1, maxWaitMs: 10 });
  const ended = Promise.withResolvers<void>();
  const running = [call("noisy", ended.promise), call("other", ended.promise)];
  const [own, foreign] = await Promise.allSettled([call("noisy"), call("quiet")]);
  expect(own).toMatchObject({ reason: { isOwnShare: true } });
  expect(foreign).toMatchObject({ reason: { isOwnShare: false } });
  ended.resolve();
  await Promise.all(running);
  await call("noisy");
});

it("never refuses a call that continues what was begun", async () => {
  const { pool, call } = recorder({ maxWaitingPerCaller: 1, maxRunningPerCaller: 1, maxWaitMs: 10 });
  const running = call("a", 30);
  const continued = pool.run("a", async () => "done", { isContinued: true });
  await expect(call("a")).rejects.toMatchObject({ isOwnShare: true });
  expect(await continued).toBe("done");
  await running;
});

it("makes a user pause whose calls have run for long, and nobody else", async () => {
  vi.useFakeTimers();
  const { pool, started, call } = recorder({
    maxRunning: 2,
    maxRunningPerCaller: 1,
    maxBusyMsPerMinute: 600,
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  void call("busy", 120);
  await pass(120);
  void call("quiet");
  await pass(2);
  void call("busy");
  void call("quiet");
  await pass(1_000);
  expect(started).toEqual(["busy", "quiet", "quiet"]);
  expect(pool.waiting).toBe(1);
  await pass(20_000);
  expect(started).toEqual(["busy", "quiet", "quiet", "busy"]);
  expect(pool.waiting).toBe(0);
});

it("makes no user pause who is alone", async () => {
  const { started, call } = recorder({ maxRunning: 2, maxRunningPerCaller: 1, maxBusyMsPerMinute: 600 });
  await call("busy", 120);
  const again = call("busy");
  expect(started).toEqual(["busy", "busy"]);
  await again;
});

it("gives a user more of the pool while nobody else uses the server", async () => {
  // Another user counts for 2 s.
  vi.useFakeTimers({ toFake: ["performance"] });
  const recentCallers = new RecentCallers();
  const limits = {
    maxRunning: 4,
    maxRunningPerCaller: 2,
    maxRunningPerCallerWhileShared: 1,
    recentCallers,
  };
  const { pool, call } = recorder(limits);
  const alone = [call("busy"), call("busy"), call("busy")];
  expect(pool.running).toBe(2);
  await Promise.all(alone);
  recentCallers.remember("other");
  const shared = [call("busy"), call("busy"), call("busy")];
  expect(pool.running).toBe(1);
  await Promise.all(shared);
});

it("frees the place of a call that fails", async () => {
  const { pool, call } = recorder();
  const failing = pool.run("a", () => Promise.reject(new Error("no")));
  const next = call("a");
  await expect(failing).rejects.toThrow("no");
  await next;
  expect(new Overloaded(1).isOwnShare).toBe(false);
});
