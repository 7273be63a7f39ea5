import { Random } from "@whytrace/demo";
import type { DriftCounts } from "../../../packages/server/src/insights/statistics/drift-counts.ts";
import type { SessionSums } from "../../../packages/server/src/insights/statistics/session-sums.ts";

interface SimulatedSituation {
  /** How often runs are in it. */
  weight: number;
  /** How often each option is chosen in it, in proportion. */
  shares: readonly number[];
  /** How often a failure follows each option. */
  failureRates: readonly number[];
}

interface SimulatedSignature {
  runs: number;
  /** A run makes the decision once to so many times, each equally often. */
  maxRepeats: number;
  /** Correlation of the choices, and of the outcomes, of two decisions of a run. */
  correlation: number;
  situations: readonly SimulatedSituation[];
}

interface SimulatedOption {
  step: number;
  sums: SessionSums;
}

/** Makes up the decisions of one signature and adds them up as insights do. */
export class DecisionSimulator {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** Options that were chosen. */
  signature({ runs, maxRepeats, correlation, situations }: SimulatedSignature): SimulatedOption[] {
    const random = this.#random;
    const count = situations[0]?.shares.length ?? 0;
    const options = Array.from({ length: count }, (_, i) => newOption(i + 1));
    // A decision copies what is common to its run so often that two of them have the wanted correlation.
    const copied = Math.sqrt(correlation);
    const decisions = new Int32Array(count);
    const failures = new Int32Array(count);
    const weights = situations.map(({ weight }) => weight);
    for (let run = 0; run < runs; run += 1) {
      const situation = situations[this.#weighted(weights)];
      if (!situation) continue;
      const repeats = random.between(1, maxRepeats);
      const habit = this.#weighted(situation.shares);
      const luck = random.next();
      decisions.fill(0);
      failures.fill(0);
      for (let i = 0; i < repeats; i += 1) {
        const choice = repeats > 1 && random.chance(copied) ? habit : this.#weighted(situation.shares);
        const draw = repeats > 1 && random.chance(copied) ? luck : random.next();
        decisions[choice] = (decisions[choice] ?? 0) + 1;
        if (draw < (situation.failureRates[choice] ?? 0)) failures[choice] = (failures[choice] ?? 0) + 1;
      }
      for (let i = 0; i < count; i += 1) {
        const n = decisions[i] ?? 0;
        const b = failures[i] ?? 0;
        const sums = options[i]?.sums;
        if (n === 0 || !sums) continue;
        sums.sessions += 1;
        sums.decisions += n;
        sums.failed += b;
        sums.decisionSquares += n * n;
        sums.products += n * b;
        sums.failedSquares += b * b;
        sums.failedShares += (b * b) / n;
      }
    }
    return options.filter(({ sums }) => sums.decisions > 0);
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
    return { options };
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

const newOption = (step: number): SimulatedOption => ({
  step,
  sums: {
    sessions: 0,
    decisions: 0,
    failed: 0,
    decisionSquares: 0,
    products: 0,
    failedSquares: 0,
    failedShares: 0,
  },
});
