import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { WorkspaceCoalescer } from "./workspace-coalescer.ts";

const newCoalescer = (handle: (user: string) => Promise<void>, pauseMs = 20) =>
  new WorkspaceCoalescer({ pauseMs, maxRunning: 2, maxBusyMsPerMinute: 60_000, handle });

describe("a coalescer of users", () => {
  it("handles a user once for everything that was added meanwhile, and once more for what comes later", async () => {
    const handled: string[] = [];
    const coalescer = newCoalescer(async (user) => {
      handled.push(user);
      await sleep(5);
    });
    for (let count = 0; count < 10; count += 1) coalescer.add("a");
    expect(handled).toEqual(["a"]);
    await sleep(1);
    for (let count = 0; count < 10; count += 1) coalescer.add("a");
    await expect.poll(() => handled, { interval: 5 }).toEqual(["a", "a"]);
    await sleep(60);
    expect(handled).toEqual(["a", "a"]);
    coalescer.add("a");
    await expect.poll(() => handled, { interval: 5 }).toEqual(["a", "a", "a"]);
  });

  it("does not let a user wait for the pause of another, or for one that is never done", async () => {
    const handled: string[] = [];
    const coalescer = newCoalescer(async (user) => {
      handled.push(user);
      if (user === "endless") await new Promise(() => {});
    }, 60_000);
    coalescer.add("endless");
    coalescer.add("a");
    coalescer.add("b");
    await expect.poll(() => handled, { interval: 5 }).toEqual(["endless", "a", "b"]);
  });

  it("serves users round robin: one that is added all the time delays others by one run", async () => {
    const handled: string[] = [];
    const coalescer = newCoalescer(async (user) => {
      handled.push(user);
      await sleep(5);
      // Nothing runs on after the test, in the process of other tests.
      if (!handled.includes("late")) coalescer.add(user);
    }, 0);
    for (const user of ["a", "b", "c", "d"]) coalescer.add(user);
    await expect.poll(() => handled.length).toBeGreaterThan(8);
    const before = handled.length;
    coalescer.add("late");
    await expect.poll(() => handled.includes("late")).toBe(true);
    expect(handled.indexOf("late") - before).toBeLessThanOrEqual(6);
  });
});
