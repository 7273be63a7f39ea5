import { expect, it } from "vitest";
import { mantelHaenszel } from "./mantel-haenszel.ts";

const stratum = (b1: number, n1: number, b0: number, n0: number) => ({
  option: { failed: b1, decisions: n1 },
  rest: { failed: b0, decisions: n0 },
});

it("equals the relative risk of a single stratum", () => {
  const result = mantelHaenszel([stratum(20, 100, 10, 100)]);
  expect(result?.relativeRisk.value).toBeCloseTo(2, 12);
  // exp(ln 2 ± 1.96 · √(1/20 − 1/100 + 1/10 − 1/100))
  expect(result?.relativeRisk.low).toBeCloseTo(0.9865, 3);
  expect(result?.relativeRisk.high).toBeCloseTo(4.0547, 3);
});

it("gives the same risk in both strata although together they show the opposite", () => {
  // 200 hard cases fail 40 %, or 20 % after the option; 200 easy ones 10 and 5 %. The option is chosen in hard cases.
  const strata = [stratum(32, 160, 16, 40), stratum(2, 40, 16, 160)];
  const result = mantelHaenszel(strata);
  expect(result?.relativeRisk.value).toBeCloseTo(0.5, 10);
  expect(result?.relativeRisk.high).toBeLessThan(1);
  expect(result?.isWorse).toBe(false);
  expect(result?.p).toBeLessThan(0.02);
});

it("is finite without failures on one side, and null without a stratum that has both", () => {
  const { relativeRisk } = mantelHaenszel([stratum(0, 30, 6, 30)]) ?? {};
  expect(relativeRisk?.value).toBeGreaterThan(0);
  expect(relativeRisk?.low).toBeGreaterThan(0);
  expect(relativeRisk?.high).toBeLessThan(Number.POSITIVE_INFINITY);
  expect(mantelHaenszel([stratum(1, 30, 0, 0), stratum(0, 0, 4, 30)])).toBeNull();
});
