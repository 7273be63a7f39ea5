import type { MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import { compileRules } from "../masking/compile-rules.ts";
import { PatternMeasurement } from "./pattern-measurement.ts";

const rule = (values: Partial<MaskingRule>): MaskingRule => ({
  name: "own",
  method: "hash",
  type: "pattern",
  source: "*",
  ...values,
});
/** Matches at every word. */
const SLOW = rule({ pattern: "\\w+" });
const FAST = rule({ pattern: "ORD-\\d{6}" });

const measurement = (...rules: MaskingRule[]) =>
  new PatternMeasurement(
    compileRules({ version: 1, level: "off", floor: "off", rules, key: new Uint8Array() }),
  );

/** Runs to the end; returns the cost, and the longest time between two pauses, without that of other processes. */
function run(steps: Generator<undefined, number>) {
  let longestMs = 0;
  for (;;) {
    const before = process.threadCpuUsage();
    const { done, value } = steps.next();
    if (done) return { cost: value, longestMs };
    longestMs = Math.max(longestMs, process.threadCpuUsage(before).user / 1_000);
  }
}

describe("the cost of patterns", () => {
  it("is low for a fixed word and high for a pattern that matches everywhere", () => {
    const fast = run(measurement(FAST).run()).cost;
    const slow = run(measurement(SLOW).run()).cost;
    expect(slow).toBeGreaterThan(5 * fast);
  });

  it("is about the same each time", () => {
    const costs = Array.from({ length: volume(5) }, () => run(measurement(SLOW).run()).cost);
    expect(Math.max(...costs)).toBeLessThan(3 * Math.min(...costs));
  });

  it("is only that of texts at the source, relative to all that was sent", () => {
    const everywhere = run(measurement(SLOW).run()).cost;
    const names = run(measurement({ ...SLOW, source: "names" }).run()).cost;
    expect(names).toBeLessThan(everywhere / 10);
    expect(run(measurement({ ...SLOW, source: "input.customer" }).run()).cost).toBe(0);
    expect(run(measurement({ ...SLOW, method: "keep" }).run()).cost).toBe(0);
  });

  it("is measured on traces that are added, in pieces, however long a text is", () => {
    const stored = measurement(SLOW);
    const input = "lorem ipsum dolor sit amet ".repeat(40_000);
    for (const _ of stored.add({ kind: "spans", value: { input }, bytes: input.length }));
    expect(stored.isFull).toBe(true);
    const { cost, longestMs } = run(stored.run());
    expect(cost).toBeGreaterThan(50);
    // All of it takes longer than this many pieces.
    expect(longestMs).toBeLessThan(cost / 4);
  });

  it("ends early for patterns that are much too slow, and says so", () => {
    const startedAt = performance.now();
    const slow = rule({ pattern: "(?:[a-zA-Z ,.]{1,40}){1,10}e" });
    expect(run(measurement(slow, slow, slow, slow).run()).cost).toBeGreaterThan(500);
    // Three rounds of 1 MiB would take a minute.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});
