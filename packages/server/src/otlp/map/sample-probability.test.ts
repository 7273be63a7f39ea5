import { expect, it } from "vitest";
import { sampleProbability } from "./sample-probability.ts";

const of = (traceState: string, told?: string | number) =>
  sampleProbability({
    attributes: new Map(told === undefined ? [] : [["sampling.probability", told]]),
    traceState,
  });

it("reads the threshold of tracestate, wherever it stands", () => {
  expect(of("ot=th:8")).toBe(0.5);
  expect(of("ot=th:0")).toBe(1);
  expect(of("vendor=x,ot=rv:6e6d1a75832a2f;th:e6666666666666 ,b=c")).toBeCloseTo(0.1, 12);
});

it("believes the attribute before tracestate, unless it is no probability", () => {
  expect(of("ot=th:8", 0.25)).toBe(0.25);
  expect(of("ot=th:8", "0.25")).toBe(0.25);
  expect(of("ot=th:8", 7)).toBe(0.5);
});

it("says nothing if nothing is told", () => {
  for (const state of ["", "ot=rv:8", "other=th:8", "ot=th:xyz", "ot=th:123456789012345", "not=th:8"])
    expect(of(state), state).toBeUndefined();
});
