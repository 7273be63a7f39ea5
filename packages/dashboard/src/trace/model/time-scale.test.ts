import { describe, expect, it } from "vitest";
import { outlineDecision as decision, outline, outlineSpan as span, ZERO_MS } from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { timeScale } from "./time-scale.ts";
import { FULL_RANGE, timeTicks } from "./time-ticks.ts";

const scaleOf = (...given: Parameters<typeof outline>) => timeScale(buildTree(outline(...given)));
const second = (s: number) => ZERO_MS + s * 1_000;

describe("the time scale", () => {
  it("is linear without gaps", () => {
    const scale = scaleOf([span("a", [0, 5]), span("b", [5, 10])]);
    expect(scale.folds).toEqual([]);
    expect(scale.toShare(second(2.5))).toBeCloseTo(0.25);
    expect(scale.toMs(0.75)).toBeCloseTo(second(7.5));
  });

  it("folds an idle gap of more than 5% of the trace, even inside an open parent span", () => {
    const scale = scaleOf([span("root", [0, 100]), span("a", [0, 5], "root"), span("b", [95, 100], "root")]);
    expect(scale.folds.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([[second(5), second(95)]]);
    expect(scale.toShare(second(5))).toBeCloseTo(0.485);
    expect(scale.toShare(second(95))).toBeCloseTo(0.515);
    for (const ms of [0, 3, 50, 96, 100].map(second))
      expect(scale.toMs(scale.toShare(ms))).toBeCloseTo(ms, 0);
  });

  it("does not fold shorter gaps, or gaps that contain a decision or the start of a span", () => {
    expect(scaleOf([span("a", [0, 50]), span("b", [54, 100])]).folds).toEqual([]);
    const decided = scaleOf(
      [span("root", [0, 40]), span("a", [0, 20], "root"), span("b", [23.5, 40], "root")],
      [decision("d", 21.8)],
    );
    expect(decided.folds).toEqual([]);
  });

  it("can be unfolded, and handles a trace of zero length", () => {
    const tree = buildTree(outline([span("a", [0, 1]), span("b", [99, 100])]));
    expect(timeScale(tree, false).folds).toEqual([]);
    expect(scaleOf([]).toShare(ZERO_MS)).toBe(0);
    expect(scaleOf([span("a", [0, 0])]).toShare(ZERO_MS)).toBe(0);
  });
});

describe("ticks", () => {
  it("are few and round, and the last one labels the end", () => {
    const labels = timeTicks(scaleOf([span("a", [0, 12.4])]), FULL_RANGE, 330).map(({ label }) => label);
    expect(labels).toEqual(["0", "3 s", "6 s", "12.4 s"]);
  });

  it("become fewer on a narrow axis", () => {
    expect(timeTicks(scaleOf([span("a", [0, 12.4])]), FULL_RANGE, 130).length).toBeLessThanOrEqual(3);
  });
});
