import { Random } from "@whytrace/demo";
import type { DriftCounts } from "../../server/src/insights/statistics/drift-counts.ts";
import type { WhySignature } from "../../server/src/insights/statistics/why-input.ts";

export interface SimulatedSituation {
  /** How often runs are in it. */
  weight: number;
  /** How often each option is chosen in it, in proportion. */
  shares: readonly number[];
  /** How often a failure follows each option. */
  failureRates: readonly number[];
}

export interface SimulatedSignature {
  runs: number;
  /** A run makes the decision once to so many times, each equally often. */
  maxRepeats: number;
  /** Correlation of the choices, and of the outcomes, of two decisions of a run. */
  correlation: number;
  situations: readonly SimulatedSituation[];
  /** Median cost of what follows each option; without it, costs are unknown. */
  costUsd?: readonly number[];
}

const COST_SPREAD = 1;

/** Makes up the decisions of one signature and adds them up as insights do. */
export class DecisionSimulator {
  readonly #random: Random;
  #signatures = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  between(min: number, max: number): number {
    return this.#random.between(min, max);
  }

  chance(probability: number): boolean {
    return this.#random.chance(probability);
  }

  signature({ runs, maxRepeats, correlation, situations, costUsd }: SimulatedSignature): WhySignature {
    const random = this.#random;
    const count = situations[0]?.shares.length ?? 0;
    const options = Array.from({ length: count }, (_, i) => newOption(i + 1));
    const strata = new Map(
      options.map(({ step }) => [
        step,
        { decisions: new Float64Array(situations.length), failed: new Float64Array(situations.length) },
      ]),
    );
    // A decision copies what is common to its run so often that two of them have the wanted correlation.
    const copied = Math.sqrt(correlation);
    const decisions = new Int32Array(count);
    const failures = new Int32Array(count);
    const weights = situations.map(({ weight }) => weight);
    for (let run = 0; run < runs; run += 1) {
      const index = this.#weighted(weights);
      const situation = situations[index];
      if (!situation) continue;
      const repeats = random.between(1, maxRepeats);
      const habit = this.#weighted(situation.shares);
      const luck = random.next();
      const costFactor = costUsd && repeats > 1 ? random.logNormal(1, COST_SPREAD) : 1;
      decisions.fill(0);
      failures.fill(0);
      for (let i = 0; i < repeats; i += 1) {
        const choice = repeats > 1 && random.chance(copied) ? habit : this.#weighted(situation.shares);
        const draw = repeats > 1 && random.chance(copied) ? luck : random.next();
        decisions[choice] = (decisions[choice] ?? 0) + 1;
        if (draw < (situation.failureRates[choice] ?? 0)) failures[choice] = (failures[choice] ?? 0) + 1;
        const cost = options[choice]?.cost;
        const medianUsd = costUsd?.[choice];
        if (!cost || medianUsd === undefined) continue;
        const isCopied = repeats > 1 && random.chance(copied);
        const usd = medianUsd * (isCopied ? costFactor : random.logNormal(1, COST_SPREAD));
        cost.decisions += 1;
        cost.usd += usd;
        cost.usdSquares += usd * usd;
      }
      for (let i = 0; i < count; i += 1) {
        const n = decisions[i] ?? 0;
        const b = failures[i] ?? 0;
        const sums = options[i]?.sums;
        if (n === 0 || !sums) continue;
        sums.runs += 1;
        sums.decisions += n;
        sums.failed += b;
        sums.decisionSquares += n * n;
        sums.products += n * b;
        sums.failedSquares += b * b;
        const counts = strata.get(i + 1);
        if (!counts) continue;
        counts.decisions[index] = (counts.decisions[index] ?? 0) + n;
        counts.failed[index] = (counts.failed[index] ?? 0) + b;
      }
    }
    this.#signatures += 1;
    return {
      signature: this.#signatures,
      isAside: false,
      options: options.filter(({ sums }) => sums.decisions > 0),
      strata,
    };
  }

  /** The choices of one side of a comparison over time. */
  choices({
    runs,
    maxRepeats,
    correlation,
    shares,
  }: Pick<SimulatedSignature, "runs" | "maxRepeats" | "correlation"> & {
    shares: readonly number[];
  }): DriftCounts {
    const options = shares.map(() => ({ chosen: 0, squares: 0, products: 0 }));
    const copied = Math.sqrt(correlation);
    const counts = new Int32Array(shares.length);
    for (let run = 0; run < runs; run += 1) {
      const repeats = this.#random.between(1, maxRepeats);
      const habit = this.#weighted(shares);
      counts.fill(0);
      for (let i = 0; i < repeats; i += 1) {
        const choice = repeats > 1 && this.#random.chance(copied) ? habit : this.#weighted(shares);
        counts[choice] = (counts[choice] ?? 0) + 1;
      }
      for (const [i, option] of options.entries()) {
        const chosen = counts[i] ?? 0;
        option.chosen += chosen;
        option.squares += chosen * chosen;
        option.products += chosen * repeats;
      }
    }
    return { runs, options };
  }

  #weighted(weights: readonly number[]): number {
    let total = 0;
    for (const weight of weights) total += weight;
    let left = this.#random.next() * total;
    for (let i = 0; i < weights.length - 1; i += 1) {
      left -= weights[i] ?? 0;
      if (left < 0) return i;
    }
    return weights.length - 1;
  }
}

const newOption = (step: number) => ({
  step,
  sums: { runs: 0, decisions: 0, failed: 0, decisionSquares: 0, products: 0, failedSquares: 0 },
  cost: { decisions: 0, usd: 0, usdSquares: 0 },
});
