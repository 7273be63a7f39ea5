import { poissonTail } from "../../statistics/hypothesis-tests/poisson-tail.ts";
import { studentTail } from "../../statistics/hypothesis-tests/student-t.ts";
import { Pauses } from "../pauses.ts";
import type { Lines } from "./lines.ts";
import { Stratum } from "./stratum.ts";

/** Of fewer lines with and without an option nothing is said, nor of fewer groups of lines that belong together. */
export const MIN_COMPARABLE = 20;
const MIN_CLUSTERS = 10;
/** Counts of an option in a stratum that are held at a time, about 150 bytes each. Further options are tested after. */
const MAX_CELLS = 500_000;

export interface TestResult {
  /** One-sided; 1 if there is too little to compare. */
  p: number;
  /** Bad lines above what is expected of the others in the same strata. */
  excess: number;
  /** How many times as often lines are bad, in the same strata. */
  ratio: number;
  /** Of the exposed lines, and of others in the same strata. */
  rate: number;
  otherRate: number;
  /** All lines with the option. */
  lines: number;
  /** Lines with and without the option that can be compared. */
  exposed: number;
  others: number;
  clusters: number;
}

/** The sums of one option. */
const newSums = () => ({
  excess: 0,
  variance: 0,
  badWeights: 0,
  badSquares: 0,
  clusterSquares: 0,
  lineSquares: 0,
  clusters: 0,
  lines: 0,
  exposed: 0,
  others: 0,
  risk: 0,
  bad: 0,
  otherBad: 0,
  sharedBad: 0,
  sharedOtherBad: 0,
});
type Sums = ReturnType<typeof newSums>;

/**
 * Tests all options at once. In each stratum bad lines are expected in proportion to the risk; the excess is what lies above. Its
 * variance is that of drawing the bad ones at random in each stratum, times how much more lines that belong together vary as a
 * whole. Strata in which all or no lines are exposed are left out.
 */
export function* stratifiedTest<Line>(compared: Lines<Line>): Generator<undefined, TestResult[]> {
  const { strata, options } = compared;
  const atOnce = Math.max(1, Math.floor(MAX_CELLS / Math.max(1, strata)));
  if (options <= atOnce) return yield* testOptions(compared);
  const results: TestResult[] = [];
  for (let first = 0; first < options; first += atOnce) {
    const isTested = (option: number) => option >= first && option < first + atOnce;
    const tested = yield* testOptions({
      ...compared,
      exposuresOf: (line) => compared.exposuresOf(line).filter(isTested),
    });
    results.push(...tested.slice(first, first + atOnce));
  }
  return results;
}

function* testOptions<Line>(compared: Lines<Line>): Generator<undefined, TestResult[]> {
  const pauses = new Pauses();
  const strata = Array.from({ length: compared.strata }, () => new Stratum());
  for (const line of compared.lines) {
    const exposures = compared.exposuresOf(line);
    strata[compared.stratumOf(line)]?.add(compared, line, exposures);
    if (pauses.isDue(exposures.length)) yield;
  }
  const sums = Array.from({ length: compared.options }, newSums);
  for (const stratum of strata) {
    addStratum(stratum, sums, compared.isOnce);
    if (pauses.isDue(stratum.cells.size)) yield;
  }
  yield* addResiduals(compared, strata, sums, pauses);
  return sums.map(resultOf);
}

function addStratum(stratum: Stratum, sums: readonly Sums[], isOnce: boolean) {
  const { count, badSquares, bad } = stratum;
  for (const [option, cell] of stratum.cells) {
    const sum = sums[option];
    if (sum) sum.lines += cell.count;
  }
  for (const [option, cell] of stratum.share()) {
    const sum = sums[option];
    if (!sum) continue;
    sum.exposed += cell.count;
    sum.others += count - cell.count;
    sum.variance += stratum.variance(cell, isOnce);
    sum.badWeights += bad * cell.share * (1 - cell.share);
    sum.badSquares += badSquares * cell.share * (1 - cell.share);
    sum.risk += cell.risk;
    sum.bad += cell.bad;
    sum.otherBad += (cell.risk * (bad - cell.bad)) / (stratum.risk - cell.risk);
    sum.sharedBad += cell.bad * (1 - cell.share);
    sum.sharedOtherBad += (bad - cell.bad) * cell.share;
  }
}

/**
 * Adds up (exposed - share) · residual over lines, and its squares over lines and over groups that belong together. The term
 * with the share is added once for each group and stratum, so that a line costs no more than the options that it is exposed to.
 */
function* addResiduals<Line>(
  compared: Lines<Line>,
  strata: readonly Stratum[],
  sums: readonly Sums[],
  pauses: Pauses,
): Generator<undefined, void> {
  const own = new Map<number, number>();
  const touched = new Map<Stratum, number>();
  const add = (option: number, value: number) => own.set(option, (own.get(option) ?? 0) + value);
  const endCluster = () => {
    for (const [stratum, residual] of touched)
      for (const [option, { share }] of stratum.shared) add(option, -share * residual);
    for (const [option, value] of own) {
      const sum = sums[option];
      if (!sum) continue;
      sum.excess += value;
      sum.clusterSquares += value * value;
      sum.clusters += 1;
    }
    own.clear();
    touched.clear();
  };
  let cluster: number | undefined;
  for (const line of compared.lines) {
    if (compared.clusterOf(line) !== cluster) endCluster();
    cluster = compared.clusterOf(line);
    const stratum = strata[compared.stratumOf(line)];
    if (!stratum || stratum.shared.length === 0) continue;
    const expected = (stratum.bad / stratum.risk) * compared.riskOf(line);
    const residual = compared.weightOf(line) * (compared.badOf(line) - expected);
    touched.set(stratum, (touched.get(stratum) ?? 0) + residual);
    stratum.residualSquares += residual * residual;
    const exposures = compared.exposuresOf(line);
    for (const option of exposures) {
      const sum = sums[option];
      const cell = stratum.cells.get(option);
      if (!sum || !cell?.isShared) continue;
      add(option, residual);
      sum.lineSquares += (1 - 2 * cell.share) * residual * residual;
    }
    if (pauses.isDue(1 + exposures.length)) yield;
  }
  endCluster();
  for (const { shared, residualSquares } of strata)
    for (const [option, { share }] of shared) {
      const sum = sums[option];
      if (sum) sum.lineSquares += share * share * residualSquares;
    }
}

function resultOf(sum: Sums): TestResult {
  const { excess, variance, lines, exposed, others, clusters } = sum;
  const isEnough = exposed >= MIN_COMPARABLE && others >= MIN_COMPARABLE && clusters >= MIN_CLUSTERS;
  return {
    p: isEnough && variance > 0 ? pValue(sum) : 1,
    excess,
    ratio: (sum.sharedBad + 0.5 * badWeight(sum)) / (sum.sharedOtherBad + 0.5 * badWeight(sum)),
    rate: sum.risk > 0 ? sum.bad / sum.risk : 0,
    otherRate: sum.risk > 0 ? sum.otherBad / sum.risk : 0,
    lines,
    exposed,
    others,
    clusters,
  };
}

/** Student's tail is for few independent groups, Poisson's for few bad lines: the more cautious one counts. */
function pValue(sum: Sums): number {
  const { excess, variance, clusters, clusterSquares, lineSquares } = sum;
  const weight = badWeight(sum);
  const designEffect = lineSquares > 0 ? Math.max(1, clusterSquares / lineSquares) : 1;
  const t = excess / Math.sqrt(designEffect * variance);
  const tail = studentTail(t, clusters - 1) / 2;
  const mean = variance / designEffect / (weight * weight);
  return Math.max(t >= 0 ? tail : 1 - tail, poissonTail(mean + excess / designEffect / weight, mean));
}

/** How many runs a bad line stands for: so many of them count as one. */
const badWeight = ({ badWeights, badSquares }: Sums) => (badWeights > 0 ? badSquares / badWeights : 1);
