import { afterEach, expect, it, vi } from "vitest";
import { compilePattern } from "./own-pattern.ts";
import { isTooSlowAtWorst } from "./worst-cost.ts";

const TICK_US = 10_000;

afterEach(() => {
  vi.restoreAllMocks();
});

it("a pattern is judged the same where the time of a thread is only known in ticks", () => {
  const exact = process.threadCpuUsage.bind(process);
  vi.spyOn(process, "threadCpuUsage").mockImplementation(() => {
    const { user, system } = exact();
    return { user: Math.floor((user + system) / TICK_US) * TICK_US, system: 0 };
  });
  const judge = (pattern: string) => isTooSlowAtWorst(compilePattern(pattern), pattern);
  for (let round = 0; round < 5; round += 1) expect(["\\w", "a"].map(judge)).toEqual([false, false]);
  expect(judge("(?i:a\\pL{0,200}b\\pL{0,200})[!?]")).toBe(true);
});
