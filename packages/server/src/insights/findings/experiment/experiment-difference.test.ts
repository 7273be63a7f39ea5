import { Random } from "@whytrace/demo";
import { expect, it } from "vitest";
import { experimentDifference, type Trial } from "./experiment-difference.ts";

/** `bad` of `count` draws of an option, each in a session of its own. */
const draws = (option: number, count: number, bad: number, first = 0): Trial[] =>
  Array.from({ length: count }, (_, index) => ({
    cluster: first + index,
    option,
    weight: 2,
    isBad: index < bad,
  }));

it("compares the rates of an option and of all others", () => {
  const found = experimentDifference([...draws(1, 100, 40), ...draws(0, 100, 20, 100)], 1);
  expect(found?.difference).toBeCloseTo(0.2, 12);
  expect(found?.drawn).toBe(200);
  expect(found?.low).toBeCloseTo(0.2 - 1.98 * Math.sqrt(0.24 / 100 + 0.16 / 100), 2);
  expect((found?.low ?? 0) + (found?.high ?? 0)).toBeCloseTo(0.4, 12);
  expect(found?.p).toBeLessThan(0.005);
});

it("says nothing with fewer than 20 draws or 10 sessions on either side", () => {
  const of = (one: Trial[], others: Trial[]) => experimentDifference([...one, ...others], 1);
  expect(of(draws(1, 19, 5), draws(0, 100, 5, 100))).toBeUndefined();
  expect(of(draws(1, 100, 5), draws(0, 19, 5, 100))).toBeUndefined();
  const inSessions = (count: number) =>
    draws(1, 30, 5).map((trial, index) => ({ ...trial, cluster: index % count }));
  expect(of(inSessions(9), draws(0, 30, 5, 100))).toBeUndefined();
  expect(of(inSessions(10), draws(0, 30, 5, 100))).toBeDefined();
});

it("does not take 0 of 20 for certainty", () => {
  const found = experimentDifference([...draws(1, 20, 0), ...draws(0, 20, 0, 20)], 1);
  expect(found?.high).toBeGreaterThan(0.1);
});

it("contains the truth in 93 to 97 % of worlds with hidden hard cases, and accuses the harmless in at most 5 %", () => {
  const random = new Random(11);
  for (const effect of [0, -0.1]) {
    let [covered, accused] = [0, 0];
    for (let world = 0; world < 400; world += 1) {
      const trials: Trial[] = [];
      for (let run = 0; run < 200; run += 1) {
        const isHard = random.chance(0.3);
        const option = random.chance(0.5) ? 1 : 0;
        const isBad = random.chance((isHard ? 0.4 : 0.12) + (option === 1 ? effect : 0));
        trials.push({ cluster: run, option, weight: 2, isBad });
      }
      const { low = 1, high = 0 } = experimentDifference(trials, 1) ?? {};
      if (low <= effect && effect <= high) covered += 1;
      if (low > 0) accused += 1;
    }
    expect(covered / 400).toBeGreaterThanOrEqual(0.93);
    expect(covered / 400).toBeLessThanOrEqual(0.97);
    expect(accused / 400).toBeLessThanOrEqual(0.05);
  }
});
