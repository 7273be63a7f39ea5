import { expect, it } from "vitest";
import { decided, unknown } from "./evaluation.ts";
import { isSettled } from "./read-past.ts";

const tested = (decisions: number) => ({
  ...decided({ value: 0, low: null, high: null }, decisions, false),
  release: "2",
});

it("tests a release for drift again when it has twice as many decisions, and not beyond 5,000", () => {
  expect(isSettled("drift", tested(100), { release: "2", runs: 199 })).toBe(true);
  expect(isSettled("drift", tested(100), { release: "2", runs: 200 })).toBe(false);
  expect(isSettled("drift", tested(5_000), { release: "2", runs: 20_000 })).toBe(true);
});

it("tests another release, one that could not be tested, and decision rules each time", () => {
  expect(isSettled("drift", tested(100), { release: "3", runs: 100 })).toBe(false);
  expect(isSettled("drift", { ...unknown(100, "few"), release: "2" }, { release: "2", runs: 110 })).toBe(
    false,
  );
  expect(isSettled("decision_rule", tested(100), { release: "2", runs: 110 })).toBe(false);
});
