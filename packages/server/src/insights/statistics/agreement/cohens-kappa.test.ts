import { expect, it } from "vitest";
import { seededRandom } from "../hypothesis-tests/seeded-random.ts";
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

it("equals a plain computation from the single ratings, in 2,000 random cases", () => {
  const random = seededRandom(1);
  for (let round = 0; round < 2_000; round += 1) {
    const labels = 2 + Math.floor(random() * 4);
    const size = 2 + Math.floor(random() * 40);
    const bias = random();
    const pairs = Array.from({ length: size }, () => {
      const first = Math.floor(random() * labels);
      return [first, random() < bias ? first : Math.floor(random() * labels)] as const;
    });
    const table = Array.from({ length: labels }, (_, a) =>
      Array.from({ length: labels }, (_, b) => pairs.filter(([x, y]) => x === a && y === b).length),
    );
    // By chance two raters agree as often as the rating of any case by one equals that of any case by the other.
    let [agreeing, byChance] = [0, 0];
    for (const [first, second] of pairs) {
      if (first === second) agreeing += 1;
      for (const [, other] of pairs) if (first === other) byChance += 1;
    }
    const observed = agreeing / size;
    const chance = byChance / size ** 2;
    const { agreement, kappa } = cohensKappa(table);
    expect(agreement).toBeCloseTo(observed, 10);
    if (chance < 1) expect(kappa).toBeCloseTo((observed - chance) / (1 - chance), 9);
    else expect(kappa).toBeNaN();
  }
});
