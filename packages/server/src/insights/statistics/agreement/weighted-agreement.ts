import type { Interval } from "@whytrace/contract";
import { Z_95 } from "../hypothesis-tests/normal-tail.ts";
import { seededRandom } from "../hypothesis-tests/seeded-random.ts";
import { wilsonInterval } from "../hypothesis-tests/wilson-interval.ts";
import { cohensKappa, kappaVariance } from "./cohens-kappa.ts";
import { drawBinomial } from "./draw-binomial.ts";

const DRAWS = 2_000;
const SEED = 0x6b617070;
/** Half a run in each cell of a table of two labels; a larger table shares the same sum. */
const ADDED_RUNS = 2;

/** What a judge said of all runs, and what people said of the reviewed ones. Labels have the same order everywhere. */
interface ReviewedJudgements {
  /** How many runs the judge gave each label. */
  judged: readonly number[];
  /** The reviewed runs: a row for each label of the judge, a column for each label of people. */
  reviewed: readonly (readonly number[])[];
}

interface Agreement {
  agreement: Interval;
  kappa: Interval;
}

/**
 * How far a judge agrees with people, with 95 % intervals. People review what a judge complains about, so each review counts for
 * all runs with the same judgement. Half a run is added to each cell for the intervals: without it they are too narrow, because
 * a judgement that was confirmed in all of its few reviews would seem certain.
 */
export function weightedAgreement(judgements: ReviewedJudgements): Agreement {
  const { judged, reviewed } = judgements;
  const sizes = reviewed.map(sumOf);
  const table = reviewed.map((row, label) => {
    const size = sizes[label] ?? 0;
    return row.map((count) => (size === 0 ? 0 : (count * (judged[label] ?? 0)) / size));
  });
  const { agreement, kappa } = cohensKappa(table);
  const added = ADDED_RUNS / reviewed.length ** 2;
  const smoothed = reviewed.map((row) => row.map((count) => count + added));
  const intervals = hasEqualWeights(judged, sizes)
    ? plainIntervals(reviewed, smoothed)
    : drawnIntervals(judged, sizes, smoothed);
  const value = Number.isNaN(kappa) ? kappaVariance(smoothed).kappa : kappa;
  return { agreement: around(agreement, intervals.agreement), kappa: around(value, intervals.kappa) };
}

function hasEqualWeights(judged: readonly number[], sizes: readonly number[]): boolean {
  const [all, reviewed] = [sumOf(judged), sumOf(sizes)];
  return judged.every((count, label) => count * reviewed === (sizes[label] ?? 0) * all);
}

type Bounds = Omit<Interval, "value">;

function plainIntervals(reviewed: readonly (readonly number[])[], smoothed: readonly (readonly number[])[]) {
  const { kappa, variance } = kappaVariance(smoothed);
  const reach = Z_95 * Math.sqrt(variance);
  const agreed = sumOf(reviewed.map((row, label) => row[label] ?? 0));
  return {
    agreement: wilsonInterval(agreed, sumOf(reviewed.map(sumOf))),
    kappa: { low: kappa - reach, high: kappa + reach },
  };
}

/**
 * A bootstrap that draws the reviews of each judgement apart, as many as there are, and how often the judge says what. The seed is
 * fixed, so that the same reviews give the same intervals.
 */
function drawnIntervals(
  judged: readonly number[],
  sizes: readonly number[],
  smoothed: readonly (readonly number[])[],
) {
  const random = seededRandom(SEED);
  const agreements: number[] = [];
  const kappas: number[] = [];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const weights = drawMultinomial(sumOf(judged), judged, random);
    const table = smoothed.map((row, label) => {
      const size = sizes[label] ?? 0;
      if (size === 0) return row.map(() => 0);
      const counts = drawMultinomial(size, row, random);
      return counts.map((count) => (count * (weights[label] ?? 0)) / size);
    });
    const { agreement, kappa } = cohensKappa(table);
    agreements.push(agreement);
    if (!Number.isNaN(kappa)) kappas.push(kappa);
  }
  return {
    agreement: middle(agreements),
    kappa: kappas.length === 0 ? { low: -1, high: 1 } : middle(kappas),
  };
}

function drawMultinomial(size: number, weights: readonly number[], random: () => number): number[] {
  let left = size;
  let weightLeft = sumOf(weights);
  return weights.map((weight) => {
    const count = weightLeft <= 0 ? 0 : drawBinomial(left, Math.min(1, weight / weightLeft), random);
    left -= count;
    weightLeft -= weight;
    return count;
  });
}

/** The middle 95 %. */
function middle(draws: number[]): Bounds {
  const sorted = Float64Array.from(draws).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}

/** An interval contains its value, and ends where κ and agreement end. */
const around = (value: number, { low, high }: Bounds): Interval => ({
  value,
  low: Math.max(-1, Math.min(low, value)),
  high: Math.min(1, Math.max(high, value)),
});

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
