import { expect, it } from "vitest";
import { cohensKappa, kappaVariance } from "./cohens-kappa.ts";

it("gives Cohen's κ and how often both agree", () => {
  const { agreement, kappa } = cohensKappa([
    [8, 4],
    [2, 26],
  ]);
  expect(agreement).toBeCloseTo(0.85, 10);
  expect(kappa).toBeCloseTo(0.625, 10);
});

it("says nothing if both gave one label to everything", () => {
  expect(
    cohensKappa([
      [0, 0],
      [0, 30],
    ]),
  ).toEqual({ agreement: 1, kappa: Number.NaN });
});

it("gives the standard error of Fleiss, Cohen and Everitt", () => {
  // Table 1 of Fleiss, Cohen and Everitt (1969): κ 0.429, standard error 0.054 (200 patients).
  const { kappa, variance } = kappaVariance([
    [106, 10, 4],
    [22, 28, 10],
    [2, 12, 6],
  ]);
  expect(kappa).toBeCloseTo(0.429, 3);
  expect(Math.sqrt(variance)).toBeCloseTo(0.0536, 3);
});
