import { Pauses } from "../pauses.ts";
import type { CountedRun, CountedRuns } from "../runs/counted-run.ts";
import { usualOptions } from "../runs/usual-options.ts";
import { ambientRates } from "./ambient-rates.ts";
import { CauseCells } from "./cause-cells.ts";
import { type CauseModel, causesOf } from "./causes-of.ts";
import { countExposures } from "./count-exposures.ts";
import type { Hit } from "./hit.ts";
import { startRates } from "./start-rates.ts";

const ROUNDS = 80;
/** A cause is believed in only as far as it explains more bad runs than this. With few bad runs, doubt would leave nothing. */
const MIN_DOUBT = 0.2;
const MAX_DOUBT = 1;
const DOUBT_PER_BAD_RUN = 0.01;
const MIN_BASE_RATE = 1e-9;

/** Which cause explains how much of the bad runs. */
export interface Fit {
  model: CauseModel;
  hits: ReadonlyMap<CountedRun, Hit>;
  /** By cell: shares of bad runs, and turns at risk. */
  sums: Float64Array;
  exposures: Float64Array;
  doubt: number;
  /** How many runs a bad run stands for: 1 unless runs were sampled. */
  badWeight: number;
  /** The rate of chance per turn at risk, and how many times as high it is by background. */
  baseRate: number;
  ambient: ReadonlyMap<number, number>;
  /** All bad runs, and those that only chance explains. */
  bad: number;
  chance: number;
  /** By option, the bad runs that it explains by being chosen and by being left out. */
  chose: Float64Array;
  leftOut: Float64Array;
  /** As `chose`, and with those that it explains as the call after another choice. */
  involved: Float64Array;
}

/**
 * Fits all causes together, by expectation and maximisation. Each turn at risk may be the onset: by chance; by each choice before
 * it, depending on how many turns ago; and by each usual option that was left out so far, depending on the option that is called
 * now. These rates add up, so that an option which only comes before or after a culprit explains nothing.
 */
export function* fitCauses(counted: CountedRuns, kind?: number): Generator<undefined, Fit> {
  const { runs, options } = counted;
  const pauses = new Pauses();
  const isHit = (run: CountedRun) => run.isBad && (kind === undefined || run.kind === kind);
  const isLocated = !runs.some((run) => isHit(run) && !run.isLocated);
  const usual = yield* usualOptions(counted);
  const model = { cells: new CauseCells(options), usual, isLocated };
  const badWeight = meanWeight(runs.filter(isHit));
  const ambient = ambientRates(runs, isHit, isLocated, badWeight);
  const hits: Hit[] = [];
  for (const run of runs) {
    if (!isHit(run)) continue;
    hits.push(yield* newHit(run, model, ambient.get(run.background) ?? 1, pauses));
  }
  model.cells.seal();
  const exposures = yield* countExposures(runs, model);
  const bad = hits.reduce((sum, { run }) => sum + run.weight, 0);
  const atRisk = runs.reduce((sum, run) => sum + run.weight * (isLocated ? run.lastAtRisk + 1 : 1), 0);
  const doubt = badWeight * Math.min(MAX_DOUBT, MIN_DOUBT + DOUBT_PER_BAD_RUN * hits.length);
  let baseRate = bad / Math.max(1, atRisk);
  let chance = 0;
  const rates = startRates(model.cells, options, exposures, hits, { base: baseRate, badWeight });
  const sums = new Float64Array(rates.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    sums.fill(0);
    chance = 0;
    for (const hit of hits) {
      chance += hit.run.weight * divideHit(hit, rates, baseRate, sums);
      if (pauses.isDue(hit.cells.length)) yield;
    }
    baseRate = Math.max(MIN_BASE_RATE, chance / Math.max(1, atRisk));
    for (let cell = 0; cell < rates.length; cell += 1)
      rates[cell] = rateOf(sums[cell] ?? 0, exposures[cell] ?? 0, doubt);
  }
  const explained = explainedByOption(model.cells, options, sums);
  const byRun = new Map(hits.map((hit) => [hit.run, hit]));
  return {
    model,
    hits: byRun,
    sums,
    exposures,
    doubt,
    badWeight,
    baseRate,
    ambient,
    bad,
    chance,
    ...explained,
  };
}

/** Of runs with unequal weights, the heavy ones decide. */
function meanWeight(runs: readonly CountedRun[]): number {
  let [sum, squares] = [0, 0];
  for (const { weight } of runs) {
    sum += weight;
    squares += weight * weight;
  }
  return sum > 0 ? squares / sum : 1;
}

function* newHit(
  run: CountedRun,
  model: CauseModel,
  ambient: number,
  pauses: Pauses,
): Generator<undefined, Hit> {
  const counts = new Map<number, number>();
  for (const { cell } of yield* causesOf(run, model, pauses)) {
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
    if (pauses.isDue()) yield;
  }
  return {
    run,
    cells: Int32Array.from(counts.keys()),
    counts: Float64Array.from(counts.values()),
    shares: new Float64Array(counts.size),
    ambient,
  };
}

/** Divides a bad run between its causes by their rates, and adds their shares to `sums`; returns the share of chance. */
function divideHit(hit: Hit, rates: Float64Array, baseRate: number, sums: Float64Array): number {
  const { cells, counts, shares, run } = hit;
  const own = baseRate * hit.ambient;
  let all = own;
  for (let i = 0; i < cells.length; i += 1) all += (counts[i] ?? 0) * (rates[cells[i] ?? 0] ?? 0);
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i] ?? 0;
    const share = (rates[cell] ?? 0) / all;
    shares[i] = share;
    sums[cell] = (sums[cell] ?? 0) + run.weight * (counts[i] ?? 0) * share;
  }
  return own / all;
}

function explainedByOption(cells: CauseCells, options: number, sums: Float64Array) {
  const chose = new Float64Array(options);
  const leftOut = new Float64Array(options);
  const involved = new Float64Array(options);
  const add = (to: Float64Array, option: number, sum: number) => {
    to[option] = (to[option] ?? 0) + sum;
  };
  for (const [cell, sum] of sums.entries()) {
    if (sum === 0) continue;
    const option = cells.optionOf(cell);
    const isChoice = cells.kindOf(cell) === "chose";
    add(isChoice ? chose : leftOut, option, sum);
    if (isChoice) add(involved, option, sum);
    const call = cells.isPair(cell) ? cells.callOf(cell) : undefined;
    if (call !== undefined) add(involved, call, sum);
  }
  return { chose, leftOut, involved };
}

const rateOf = (explained: number, exposed: number, doubt: number) =>
  exposed === 0 ? 0 : Math.max(0, explained - doubt) / exposed;
