import { finishSteps } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { expect, it } from "vitest";
import { groupByRate as groupInSteps, type Stretch } from "./group-by-rate.ts";

const groupByRate = (stretches: readonly Stretch[]) => finishSteps(groupInSteps(stretches));

const drawStretches = (random: Random, rates: readonly number[], runs: number) =>
  rates.map((rate) => ({
    runs,
    bad: Array.from({ length: runs }, () => random.chance(rate)).filter(Boolean).length,
  }));

it("finds the window in which runs are bad more often, also across the end of the day", () => {
  const night = [23, 0, 1, 2];
  const hours = Array.from({ length: 24 }, (_, hour) => ({ runs: 20, bad: night.includes(hour) ? 10 : 1 }));
  const groups = groupByRate(hours);
  expect(new Set(night.map((hour) => groups[hour])).size).toBe(1);
  expect(new Set(groups).size).toBe(2);
});

it("tells two incidents with different rates apart", () => {
  const rates = Array.from({ length: 60 }, (_, day) =>
    day < 10 ? 1 : day < 15 ? 18 : day < 30 ? 1 : day < 36 ? 9 : 1,
  );
  const groups = groupByRate(rates.map((bad) => ({ runs: 20, bad })));
  expect(groups.slice(10, 15)).toEqual(Array(5).fill(groups[10]));
  expect(groups.slice(30, 36)).toEqual(Array(6).fill(groups[30]));
  expect(new Set([groups[0], groups[10], groups[30]]).size).toBe(3);
  expect(new Set(groups).size).toBe(3);
});

it.each([
  { count: 24, rate: 0.1, runs: 12 },
  { count: 24, rate: 0.4, runs: 12 },
  { count: 128, rate: 0.2, runs: 5 },
])(
  "groups nothing in at least 98 of 100 draws if $count stretches are bad at a rate of $rate",
  ({ count, rate, runs }) => {
    const random = new Random(5);
    const rates = Array.from({ length: count }, () => rate);
    const draws = Array.from({ length: 200 }, () => groupByRate(drawStretches(random, rates, runs)));
    expect(draws.filter((groups) => new Set(groups).size > 1).length).toBeLessThanOrEqual(4);
  },
);

it("finds most of five bad hours of 24 with 300 runs", () => {
  const random = new Random(9);
  const rates = Array.from({ length: 24 }, (_, hour) => (hour < 5 ? 0.4 : 0.08));
  const found = Array.from({ length: 200 }, () => groupByRate(drawStretches(random, rates, 12))).filter(
    (groups) => groups[2] !== groups[12],
  );
  expect(found.length).toBeGreaterThanOrEqual(190);
});

it("groups nothing without stretches, without runs and if all or none are bad", () => {
  expect(groupByRate([])).toEqual([]);
  expect(groupByRate([{ runs: 0, bad: 0 }])).toEqual([0]);
  expect(groupByRate(Array.from({ length: 30 }, () => ({ runs: 9, bad: 9 })))).toEqual(Array(30).fill(0));
  expect(groupByRate(Array.from({ length: 30 }, () => ({ runs: 9, bad: 0 })))).toEqual(Array(30).fill(0));
});

it("searches 128 stretches of any shape in few steps, each of which looks at every window once", () => {
  const shapes = [
    (index: number) => (index % 2) * 200,
    (index: number) => (Math.floor(index / 16) % 2 === 0 ? 0 : 200),
    (index: number) => index,
  ];
  for (const badOf of shapes) {
    const steps = groupInSteps(Array.from({ length: 128 }, (_, index) => ({ runs: 300, bad: badOf(index) })));
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count += 1;
    // A group takes the search that finds it and at most one each that finds nothing in its two parts.
    expect(count).toBeLessThanOrEqual(3 * 16);
    expect(new Set(step.value).size).toBeLessThanOrEqual(16);
  }
});
