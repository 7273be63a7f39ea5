import { Random } from "@whytrace/demo";
import { describe, expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { poissonTail } from "../../statistics/hypothesis-tests/poisson-tail.ts";
import { studentTail } from "../../statistics/hypothesis-tests/student-t.ts";
import { stratifiedTest } from "./stratified-test.ts";

interface Line {
  cluster: number;
  stratum: number;
  exposures: number[];
  risk: number;
  isBad: boolean;
  weight: number;
}

const test = (lines: Line[], isOnce: boolean) =>
  runInTimeSlices(
    stratifiedTest({
      lines,
      strata: 4,
      options: 3,
      clusterOf: ({ cluster }: Line) => cluster,
      weightOf: ({ weight }) => weight,
      stratumOf: ({ stratum }) => stratum,
      exposuresOf: ({ exposures }) => exposures,
      badOf: ({ isBad }) => Number(isBad),
      riskOf: ({ risk }) => risk,
      isOnce,
    }),
  );

/** In one state 40 chose option 0 and 12 of them went bad, 60 did not and 3 went bad. */
const example = (clusterOf: (line: number) => number) =>
  Array.from(
    { length: 100 },
    (_, line): Line => ({
      cluster: clusterOf(line),
      stratum: 0,
      exposures: line < 40 ? [0] : [1],
      risk: 1,
      isBad: line < 12 || line >= 97,
      weight: 1,
    }),
  );

it("gives p = 0.0041 for 12 of 40 beside 3 of 60, by Poisson's tail", async () => {
  const [result] = await test(
    example((line) => line),
    true,
  );
  expect(result?.excess).toBeCloseTo(6, 10);
  expect(result?.p).toBeCloseTo(0.0041, 4);
  expect(result).toMatchObject({ exposed: 40, others: 60, clusters: 100 });
  expect(result?.rate).toBeCloseTo(0.3, 10);
  expect(result?.otherRate).toBeCloseTo(0.05, 10);
});

it("says nothing with fewer than 20 lines on either side, or fewer than 10 clusters", async () => {
  const p = async (lines: Line[]) => (await test(lines, true))[0]?.p;
  const lines = example((line) => line);
  expect(await p(lines.slice(0, 59))).toBe(1);
  expect(await p(lines.slice(0, 60))).toBeLessThan(1);
  expect(await p(lines.slice(21))).toBe(1);
  expect(await p(example((line) => Math.floor(line / 12)))).toBe(1);
});

it("says the same if every line stands for ten", async () => {
  const lines = example((line) => line);
  for (const isOnce of [true, false]) {
    const [one] = await test(lines, isOnce);
    const [ten] = await test(
      lines.map((line) => ({ ...line, weight: 10 })),
      isOnce,
    );
    expect(ten?.p).toBeCloseTo(one?.p ?? 0, 12);
    expect(ten?.excess).toBeCloseTo(10 * (one?.excess ?? 0), 9);
    expect(ten?.rate).toBeCloseTo(one?.rate ?? 0, 12);
  }
});

it("is as cautious as the sample is small if good lines stand for others", async () => {
  const random = new Random(7);
  let significant = 0;
  for (let round = 0; round < 400; round += 1) {
    // All 60 bad lines are known, and one in ten of 600 good ones. Exposure has nothing to do with either.
    const lines = Array.from({ length: 120 }, (_, line): Line => {
      const isBad = line < 60;
      const exposures = random.chance(0.4) ? [0] : [1];
      return { cluster: line, stratum: 0, exposures, risk: 1, isBad, weight: isBad ? 1 : 10 };
    });
    if (((await test(lines, true))[0]?.p ?? 1) < 0.05) significant += 1;
  }
  expect(significant / 400).toBeLessThan(0.08);
});

it("is more cautious if lines of a cluster go bad together", async () => {
  const single = await test(
    example((line) => line),
    true,
  );
  const paired = await test(
    example((line) => Math.floor(line / 2)),
    true,
  );
  expect(paired[0]?.excess).toBeCloseTo(6, 10);
  expect(paired[0]?.p).toBeGreaterThan(2 * (single[0]?.p ?? 1));
});

describe.each([true, false])("as the formula says it, if a line is bad once: %s", (isOnce) => {
  it("gives p, excess, ratio and clusters of random lines", async () => {
    const random = new Random(5);
    for (let round = 0; round < 100; round += 1) {
      const lines = Array.from({ length: 120 }, (_, index) => ({
        ...randomLine(random, Math.floor(index / 3)),
        ...(round % 2 === 0 && { weight: 1 }),
      }));
      const results = await test(lines, isOnce);
      for (const option of [0, 1, 2]) {
        const expected = byFormula(lines, option, isOnce);
        const result = results[option];
        expect(result?.p).toBeCloseTo(expected.p, 9);
        expect(result?.excess).toBeCloseTo(expected.excess, 9);
        expect(result?.ratio).toBeCloseTo(expected.ratio, 9);
        expect(result?.clusters).toBe(expected.clusters);
        expect(result?.exposed).toBe(expected.exposed);
      }
    }
  });
});

const randomLine = (random: Random, cluster: number): Line => ({
  cluster,
  stratum: random.between(0, 3),
  exposures: [0, 1, 2].filter((option) => random.chance(option === 2 ? 0.02 : 0.4)),
  risk: random.between(1, 4),
  isBad: random.chance(0.2),
  weight: random.pick([1, 1, 3]),
});

/** The formula, line by line. */
function byFormula(lines: Line[], option: number, isOnce: boolean) {
  let badWith = 0;
  let badWithout = 0;
  let badWeights = 0;
  let badSquares = 0;
  let exposed = 0;
  let variance = 0;
  const terms: { cluster: number; term: number }[] = [];
  for (const line of lines) {
    const same = lines.filter(({ stratum }) => stratum === line.stratum);
    const withIt = same.filter(({ exposures }) => exposures.includes(option));
    if (withIt.length === 0 || withIt.length === same.length) continue;
    const risk = sum(same, (one) => one.weight * one.risk);
    const share = sum(withIt, (one) => one.weight * one.risk) / risk;
    const rate = sum(same, (one) => one.weight * Number(one.isBad)) / risk;
    const isExposed = withIt.includes(line);
    const term = line.weight * (Number(isExposed) - share) * (Number(line.isBad) - rate * line.risk);
    terms.push({ cluster: line.cluster, term });
    const bad = sum(same, (one) => one.weight ** 2 * Number(one.isBad));
    const residuals = sum(same, (one) => (one.weight * (Number(one.isBad) - rate * one.risk)) ** 2);
    const isWeighted = same.some(({ weight }) => weight !== 1);
    const count = same.length;
    const plain = isOnce ? (bad * (count - bad)) / (count - 1) : bad;
    const weighted = isOnce ? (residuals * count) / (count - 1) : Math.max(bad, residuals);
    const part = withIt.length / count;
    variance += (isWeighted ? weighted * part * (1 - part) : plain * share * (1 - share)) / count;
    if (line.isBad) badWeights += line.weight * share * (1 - share);
    if (line.isBad) badSquares += line.weight ** 2 * share * (1 - share);
    if (line.isBad && isExposed) badWith += line.weight * (1 - share);
    if (line.isBad && !isExposed) badWithout += line.weight * share;
    if (isExposed) exposed += 1;
  }
  const byCluster = [...Map.groupBy(terms, ({ cluster }) => cluster).values()];
  const excess = sum(terms, ({ term }) => term);
  const squares = sum(terms, ({ term }) => term ** 2);
  const effect = Math.max(1, sum(byCluster, (own) => sum(own, ({ term }) => term) ** 2) / squares);
  const t = excess / Math.sqrt(effect * variance);
  const student = studentTail(t, byCluster.length - 1) / 2;
  const badWeight = badWeights > 0 ? badSquares / badWeights : 1;
  const mean = variance / effect / badWeight ** 2;
  const poisson = poissonTail(mean + excess / effect / badWeight, mean);
  const ratio = (badWith + 0.5 * badWeight) / (badWithout + 0.5 * badWeight);
  const isEnough = exposed >= 20 && terms.length - exposed >= 20 && byCluster.length >= 10;
  const p = isEnough ? Math.max(t < 0 ? 1 - student : student, poisson) : 1;
  return { p, excess, ratio, clusters: byCluster.length, exposed };
}

const sum = <T>(some: readonly T[], value: (one: T) => number) =>
  some.reduce((total, one) => total + value(one), 0);

it("tests very many options in groups, each as if it were alone", async () => {
  const random = new Random(7);
  const OPTIONS = 120;
  const STRATA = 5_000;
  const lines = Array.from(
    { length: 5_000 },
    (_, index): Line => ({
      cluster: Math.floor(index / 2),
      stratum: random.between(0, 3) * 1_000,
      exposures: [random.between(0, OPTIONS - 1), random.between(0, OPTIONS - 1)].filter(
        (option, place, both) => both.indexOf(option) === place,
      ),
      risk: 1,
      isBad: random.chance(0.2),
      weight: 1,
    }),
  );
  const compare = (options: number, exposuresOf: (line: Line) => number[]) =>
    runInTimeSlices(
      stratifiedTest({
        lines,
        strata: STRATA,
        options,
        clusterOf: ({ cluster }: Line) => cluster,
        weightOf: ({ weight }) => weight,
        stratumOf: ({ stratum }) => stratum,
        exposuresOf,
        badOf: ({ isBad }) => Number(isBad),
        riskOf: ({ risk }) => risk,
        isOnce: true,
      }),
    );
  const together = await compare(OPTIONS, ({ exposures }) => exposures);
  expect(together).toHaveLength(OPTIONS);
  for (const option of [0, 1, 59, 99, 100, 101, OPTIONS - 1]) {
    const [alone] = await compare(1, ({ exposures }) => (exposures.includes(option) ? [0] : []));
    expect(together[option]?.p).toBeCloseTo(alone?.p ?? -1, 9);
    expect(together[option]).toMatchObject({ lines: alone?.lines, clusters: alone?.clusters });
  }
});
