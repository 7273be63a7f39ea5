import { kappaCoverage } from "@whytrace/testing/samples/kappa-coverage.ts";
import { expect, it } from "vitest";

import { weightedAgreement } from "./weighted-agreement.ts";

it("counts each review for all runs with the same judgement", () => {
  const { agreement, kappa } = weightedAgreement({
    judged: [12, 88],
    reviewed: [
      [8, 4],
      [2, 26],
    ],
  });
  expect(agreement.value).toBeCloseTo(0.897, 3);
  expect(kappa.value).toBeCloseTo(0.55, 3);
  expect(kappa.low).toBeGreaterThan(0);
  expect(kappa.high).toBeLessThan(1);
});

it("gives the same intervals for the same reviews", () => {
  const judgements = {
    judged: [30, 70],
    reviewed: [
      [18, 2],
      [3, 17],
    ],
  };
  expect(weightedAgreement(judgements)).toEqual(weightedAgreement(judgements));
});

it.each([
  ["nobody found a fault", [0, 40], [0, 0, 0, 40]],
  ["only complaints were reviewed", [20, 80], [20, 0, 0, 0]],
  ["all agree", [20, 20], [20, 0, 0, 20]],
  ["all disagree", [20, 80], [0, 20, 20, 0]],
])("is wide, finite and contains its value if %s", (_, judged, [a = 0, b = 0, c = 0, d = 0]) => {
  const { agreement, kappa } = weightedAgreement({
    judged,
    reviewed: [
      [a, b],
      [c, d],
    ],
  });
  for (const { value, low, high } of [agreement, kappa]) {
    expect(low).toBeLessThanOrEqual(value);
    expect(high).toBeGreaterThanOrEqual(value);
    expect(high - low).toBeGreaterThan(0.05);
    expect(low).toBeGreaterThanOrEqual(-1);
    expect(high).toBeLessThanOrEqual(1);
  }
});

it("takes tables of many labels in bounded time, also with very many runs", () => {
  const labels = Array.from({ length: 20 }, (_, index) => index);
  const { kappa } = weightedAgreement({
    judged: labels.map((label) => 10_000 + label),
    reviewed: labels.map((row) => labels.map((column) => (row === column ? 400 : 5))),
  });
  expect(kappa.low).toBeGreaterThan(0.7);
});

/** 4,000 tables of equal weights; drawn intervals take milliseconds, so 100 of them show that nothing is far off. */
it.each([20, 50, 200])(
  "contains the true κ in 93 of 100 cases or more at %d reviews, weighted and not",
  (reviews) => {
    expect(kappaCoverage({ reviews, how: "equal", trials: 1_000 })).toBeGreaterThanOrEqual(0.93);
    // `lab/trials/judge-agreement.ts` counts enough of them to tell 93 % from less.
    for (const how of ["random", "complaints"] as const)
      expect(kappaCoverage({ reviews, how, trials: 25 }), how).toBeGreaterThanOrEqual(0.88);
  },
);
