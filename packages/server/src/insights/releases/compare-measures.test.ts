import { Random } from "@whytrace/demo";
import { RELEASE_PAIRS, simulateRuns } from "@whytrace/testing/samples/release-pairs.ts";
import { describe, expect, it } from "vitest";
import { compareMeasures } from "./compare-measures.ts";
import type { ComparedRun } from "./compared-run.ts";

const isCalledWorse = (verdict: string) => verdict === "worse" || verdict === "mixed";

function simulate(index: number, pair: (typeof RELEASE_PAIRS)[number], sessions: number) {
  const random = new Random(1_000 + index);
  return compareMeasures(
    simulateRuns(pair.base, { sessions, random, prefix: "base" }),
    simulateRuns(pair.current, { sessions, random, prefix: "current" }),
  );
}

describe("compareMeasures", () => {
  it("tells which of twenty releases are worse", () => {
    const table = RELEASE_PAIRS.map((pair, index) => ({ ...pair, ...simulate(index, pair, 150) }));
    expect(table.filter(({ isWorse }) => isWorse)).toHaveLength(10);
    const wrong = table.filter(({ verdict, isWorse }) => isCalledWorse(verdict) !== isWorse);
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(table.find(({ name }) => name.includes("cost × 0.6"))?.verdict).toBe("mixed");
    const better = table.slice(16, 19).map(({ verdict }) => verdict);
    expect(better).toEqual(["better", "better", "better"]);
  });

  it("calls releases that are alike worse or better in at most 5 of 100 cases, although runs of a session end alike", () => {
    const [alike] = RELEASE_PAIRS.filter(({ name }) => name === "alike");
    if (!alike) throw new Error("no pair is alike");
    let found = 0;
    for (let index = 0; index < 400; index += 1)
      if (simulate(index, alike, 60 + (index % 3) * 60).verdict !== "alike") found += 1;
    expect(found / 400).toBeLessThanOrEqual(0.05);
  });

  it("has intervals that contain the true change in about 95 of 100 cases", () => {
    const pair = RELEASE_PAIRS[0];
    if (!pair) throw new Error("there is no pair");
    const change = pair.current.badRate - pair.base.badRate;
    const contained = { bad: 0, time: 0 };
    for (let index = 0; index < 300; index += 1) {
      const { measures } = simulate(index, pair, 120);
      const [bad, , time] = measures.map((measure) => measure.change);
      if (bad && bad.low <= change && change <= bad.high) contained.bad += 1;
      if (time && time.low <= 1 && 1 <= time.high) contained.time += 1;
    }
    expect(contained.bad / 300).toBeGreaterThan(0.92);
    expect(contained.time / 300).toBeGreaterThan(0.92);
  });

  const runs = (count: number, changed: Partial<ComparedRun> = {}): ComparedRun[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `run-${index}`,
      session: `session-${index}`,
      isBad: false,
      isAbandoned: false,
      costUsd: null,
      durationMs: null,
      ...changed,
    }));

  it("says that too few runs or sessions cannot be compared, and leaves out runs that are open or unknown", () => {
    const few = compareMeasures(runs(19), runs(100, { isBad: true }));
    expect(few).toMatchObject({
      verdict: "untested",
      measures: [{ untested: "few-decisions", p: null }, {}, {}],
    });
    const oneSession = compareMeasures(runs(100, { session: "one" }), runs(100));
    expect(oneSession.measures[0]).toMatchObject({ untested: "few-sessions", verdict: "untested" });
    const open = compareMeasures(runs(100), [...runs(100), ...runs(100, { isBad: null })]);
    expect(open).toMatchObject({ verdict: "alike", measures: [{ current: { value: 0 } }, {}, {}] });
  });

  it("compares what costs nothing, and does not call a change of 3 % worse", () => {
    const free = compareMeasures(runs(100, { costUsd: 0 }), runs(100, { costUsd: 0 }));
    expect(free.measures[1]).toMatchObject({
      verdict: "alike",
      change: { value: 1, high: expect.closeTo(1, 8) },
    });
    const slower = compareMeasures(runs(100, { durationMs: 1_000 }), runs(100, { durationMs: 1_030 }));
    expect(slower.measures[2]).toMatchObject({ verdict: "alike", p: expect.closeTo(0, 8) });
  });
});
