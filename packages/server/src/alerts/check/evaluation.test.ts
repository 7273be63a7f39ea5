import { expect, it } from "vitest";
import type { RuleCondition } from "../rules/rule-condition.ts";
import { evaluateNoRuns, evaluateWindow, NO_FIGURES } from "./evaluation.ts";

const MINUTE = 60_000;
const rule = (overrides: Partial<RuleCondition>): RuleCondition => ({
  kind: "failure_rate",
  name: "r",
  agent: "a",
  windowMinutes: 60,
  forMinutes: 10,
  comparedWith: null,
  above: null,
  below: null,
  score: null,
  sensitivity: "normal",
  renotifyHours: null,
  channels: null,
  mail: true,
  severity: "error",
  ...overrides,
});
const sumsOf = (values: readonly number[]) => ({
  count: values.length,
  sum: values.reduce((sum, one) => sum + one, 0),
  squares: values.reduce((sum, one) => sum + one * one, 0),
});

it("fires on a rate only if the lower end of its interval is above the limit", () => {
  const check = (bad: number) => evaluateWindow(rule({ above: 0.5 }), { ...NO_FIGURES, runs: 30, bad }, null);
  expect(check(16)).toMatchObject({ isMet: false, isClear: true, value: 16 / 30 });
  expect(check(30)).toMatchObject({ isMet: true, isClear: false, value: 1, runs: 30 });
});

it("says how many runs are missing, those of the past first", () => {
  const few = { ...NO_FIGURES, runs: 19, bad: 19 };
  expect(evaluateWindow(rule({ above: 0.5 }), few, null).reason).toBe("19 of the 20 runs that are needed");
  const past = rule({ comparedWith: "past" });
  expect(evaluateWindow(past, few, null).reason).toBe("0 of the 200 runs that are needed");
  const baseline = { runs: 1_000, bad: 20, overdispersion: 1 };
  expect(evaluateWindow(past, few, baseline).reason).toBe("19 of the 20 runs that are needed");
  expect(evaluateWindow(past, { ...NO_FIGURES, runs: 40, bad: 20 }, baseline)).toMatchObject({
    isMet: true,
    reason: null,
  });
});

it("fires on a mean only if its whole interval is beyond the limit", () => {
  const values = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0.9 : 1.1));
  const costs = { ...NO_FIGURES, costs: sumsOf(values) };
  expect(evaluateWindow(rule({ kind: "cost_per_run", above: 0.9 }), costs, null)).toMatchObject({
    isMet: true,
    value: 1,
  });
  expect(evaluateWindow(rule({ kind: "cost_per_run", above: 0.99 }), costs, null).isMet).toBe(false);
  const scores = { ...NO_FIGURES, scores: sumsOf(values) };
  expect(evaluateWindow(rule({ kind: "score_mean", below: 1.1 }), scores, null).isMet).toBe(true);
  expect(evaluateWindow(rule({ kind: "score_mean", below: 1.01 }), scores, null).isMet).toBe(false);
});

it("sums the costs of the day, of one run or more", () => {
  const day = rule({ kind: "cost_per_day", above: 5, agent: null });
  expect(evaluateWindow(day, NO_FIGURES, null).reason).not.toBeNull();
  expect(evaluateWindow(day, { ...NO_FIGURES, costs: sumsOf([6]) }, null)).toMatchObject({
    isMet: true,
    value: 6,
  });
});

it("fires on durations if the lower end of the interval by ranks is above the limit", () => {
  const slow = rule({ kind: "duration_p95", above: 1_000 });
  const durations = { count: 60, low: 1_001, value: 1_500, high: 2_000 };
  expect(evaluateWindow(slow, { ...NO_FIGURES, durations }, null)).toMatchObject({
    isMet: true,
    value: 1_500,
  });
  expect(evaluateWindow(slow, { ...NO_FIGURES, durations: { ...durations, low: 999 } }, null).isMet).toBe(
    false,
  );
  expect(evaluateWindow(slow, { ...NO_FIGURES, durations: { ...durations, count: 59 } }, null).reason).toBe(
    "59 of the 60 runs that are needed",
  );
});

it("misses runs of an agent that ran three times in a week, and stays armed while nothing comes", () => {
  const silent = rule({ kind: "no_runs", forMinutes: 30 });
  const now = 100 * 24 * 60 * MINUTE;
  const ago = (...minutes: number[]) => minutes.map((one) => now - one * MINUTE);
  expect(evaluateNoRuns(silent, ago(31, 40, 50), now)).toMatchObject({ isMet: true, value: 31 });
  expect(evaluateNoRuns(silent, ago(29, 40, 50), now)).toMatchObject({ isMet: false, isClear: true });
  expect(evaluateNoRuns(silent, ago(31, 40), now).reason).toBe(
    "2 of the 3 runs within 7 days that are needed",
  );
  const days = 20 * 24 * 60;
  expect(evaluateNoRuns(silent, ago(days, days + 1, days + 2), now).isMet).toBe(true);
});
