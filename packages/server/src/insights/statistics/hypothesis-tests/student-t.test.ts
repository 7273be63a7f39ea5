import { expect, it } from "vitest";
import { studentQuantile95, studentTail } from "./student-t.ts";

it.each([
  [2, 5, 0.10193947882985835],
  [2.5, 19, 0.02174041116839744],
  [4, 19, 0.000766192337228645],
  [3, 100, 0.0034079153433294465],
])("gives the tail of t = %d with %d degrees of freedom within 1 %%", (t, degreesOfFreedom, expected) => {
  expect(Math.abs(studentTail(t, degreesOfFreedom) / expected - 1)).toBeLessThan(0.01);
});

it.each([
  [5, 2.5705818356363146],
  [19, 2.0930240544083087],
  [100, 1.9839715185235518],
])(
  "gives the reach of a 95 %% interval with %d degrees of freedom within 0.3 %%",
  (degreesOfFreedom, expected) => {
    expect(Math.abs(studentQuantile95(degreesOfFreedom) / expected - 1)).toBeLessThan(0.003);
  },
);
