import { expect, it } from "vitest";
import { parseRule } from "../rules/parse-rule.ts";
import { DurationWindow, MinuteSums } from "./minute-sums.ts";
import { replayRule } from "./replay-rule.ts";

const MINUTE = 60_000;
const DAY = 24 * 60;
const TO_MS = Date.parse("2026-11-18T00:00:00Z");
const MINUTES = 20 * DAY;
const FROM_MS = TO_MS - MINUTES * MINUTE;
const range = { fromMs: FROM_MS, shownFromMs: TO_MS - 5 * DAY * MINUTE, toMs: TO_MS, lagMinutes: 0 };

/** Two runs a minute; of each 20 minutes' runs one is bad, and in the outage all are. */
const rows = (outageFrom: number, outageTo: number) =>
  Array.from({ length: MINUTES }, (_, minute) => ({
    minute,
    runs: 2,
    bad: minute >= outageFrom && minute < outageTo ? 2 : minute % 20 === 0 ? 1 : 0,
    costs: 2,
    costSum: minute >= outageFrom && minute < outageTo ? 20 : 2,
    costSquares: minute >= outageFrom && minute < outageTo ? 200 : 2,
  }));
const outage = MINUTES - 3 * DAY;
const sums = new MinuteSums(MINUTES, rows(outage, outage + 120));
const base = { name: "r", agent: "a" };

it("finds the outage once, soon after it began, and its recovery", () => {
  const rule = parseRule({ ...base, kind: "failure_rate", comparedWith: "past" });
  const { firings, reason, baseline } = replayRule(rule, { sums, durations: undefined }, range);
  expect([firings.length, reason]).toEqual([1, null]);
  const minutes = ((firings[0]?.from ?? 0) - FROM_MS) / MINUTE - outage;
  expect(minutes).toBeGreaterThan(5);
  expect(minutes).toBeLessThan(40);
  expect(firings[0]?.peak).toBe(1);
  expect(firings[0]?.to).not.toBeNull();
  expect(baseline?.runs).toBe(14 * DAY * 2);
});

it("finds costs that rise, and runs that stay away", () => {
  const costly = parseRule({ ...base, kind: "cost_per_run", above: 3 });
  expect(replayRule(costly, { sums, durations: undefined }, range).firings).toHaveLength(1);
  const silence = new MinuteSums(
    MINUTES,
    rows(0, 0).filter(({ minute }) => minute < outage || minute > outage + 90),
  );
  const missing = parseRule({ ...base, kind: "no_runs", forMinutes: 60 });
  expect(replayRule(missing, { sums: silence, durations: undefined }, range).firings).toMatchObject([
    { from: FROM_MS + (outage + 60) * MINUTE, to: FROM_MS + (outage + 95) * MINUTE },
  ]);
});

it("knows the quantiles of a window that moves", () => {
  const durations = Array.from({ length: 1_000 }, (_, i) => ({
    minute: Math.floor(i / 10),
    durationMs: (i * 7_919) % 1_000,
  }));
  const window = new DurationWindow(durations);
  for (const [from, to] of [
    [0, 10],
    [5, 30],
    [90, 100],
  ] as const) {
    const own = durations
      .filter(({ minute }) => minute >= from && minute < to)
      .map(({ durationMs }) => durationMs);
    own.sort((a, b) => a - b);
    expect(window.moveTo(from, to, 0.95)).toMatchObject({
      count: own.length,
      value: own[Math.ceil(own.length * 0.95) - 1],
    });
  }
});

it("says what is missing if the rule could never be checked", () => {
  const rule = parseRule({ ...base, kind: "failure_rate", comparedWith: "past" });
  const none = new MinuteSums(MINUTES, []);
  expect(replayRule(rule, { sums: none, durations: undefined }, range)).toMatchObject({
    firings: [],
    reason: "0 of the 200 runs that are needed",
  });
});
