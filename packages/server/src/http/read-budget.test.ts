import { expect, it, onTestFinished, vi } from "vitest";
import { RecentCallers } from "../concurrency/recent-callers.ts";
import { readConfig } from "../config.ts";
import { Metrics } from "./metrics.ts";
import { ReadBudget } from "./read-budget.ts";

it("lets a response pause in proportion to its work while others use the server, and only then", () => {
  // Another user counts for 2 s.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const callers = new RecentCallers();
  const config = readConfig({ DATABASE_URL: "postgres://localhost/none" });
  const budget = new ReadBudget(config, new Metrics(), callers);
  callers.remember("me");
  expect(budget.pauseMs("me", 50)).toBe(0);
  callers.remember("another");
  expect([5, 50, 500].map((workMs) => budget.pauseMs("me", workMs))).toEqual([0, 100, 1_000]);
});
