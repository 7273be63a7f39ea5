import { studentQuantile95, studentTail } from "../../statistics/hypothesis-tests/student-t.ts";

/** Of fewer draws nothing is said, nor of fewer sessions: of the option, and of the others. */
const MIN_DRAWN = 20;
const MIN_CLUSTERS = 10;

/** A decision whose option was drawn at random. */
export interface Trial {
  cluster: number;
  option: number;
  /** How many runs it stands for, divided by the probability with which the option was drawn. */
  weight: number;
  isBad: boolean;
}

/** How much more often runs are bad after an option than after the others, because of it. */
export interface Experiment {
  difference: number;
  /** The interval contains the true difference in 95 of 100 cases. */
  low: number;
  high: number;
  /** Draws of the option and of the others. */
  drawn: number;
  /** One-sided: that a harmless option would look so bad. */
  p: number;
}

/**
 * The rates are weighted means, and the interval is made by sessions. What was drawn does not depend on anything, so nothing that
 * was not recorded can explain the difference. Undefined if there are too few draws.
 */
export function experimentDifference(trials: readonly Trial[], option: number): Experiment | undefined {
  const [one, others] = [new Side(), new Side()];
  for (const trial of trials) (trial.option === option ? one : others).add(trial);
  if (!one.isEnough || !others.isEnough) return undefined;
  const parts = new Map<number, number>();
  for (const { cluster, option: drawn, weight, isBad } of trials) {
    const side = drawn === option ? one : others;
    const part = (weight * ((isBad ? 1 : 0) - side.rate)) / side.weight;
    parts.set(cluster, (parts.get(cluster) ?? 0) + (side === one ? part : -part));
  }
  let squares = 0;
  for (const part of parts.values()) squares += part * part;
  const variance = Math.max((squares * parts.size) / (parts.size - 1), one.minVariance + others.minVariance);
  const degreesOfFreedom = Math.min(one.clusters.size, others.clusters.size) - 1;
  const error = Math.sqrt(variance);
  const difference = one.rate - others.rate;
  const half = studentQuantile95(degreesOfFreedom) * error;
  const tail = studentTail(difference / error, degreesOfFreedom) / 2;
  return {
    difference,
    low: Math.max(-1, difference - half),
    high: Math.min(1, difference + half),
    drawn: one.count + others.count,
    p: difference > 0 ? tail : 1 - tail,
  };
}

class Side {
  count = 0;
  weight = 0;
  readonly clusters = new Set<number>();
  #bad = 0;
  #squares = 0;

  add({ cluster, weight, isBad }: Trial) {
    this.count += 1;
    this.weight += weight;
    this.#squares += weight * weight;
    if (isBad) this.#bad += weight;
    this.clusters.add(cluster);
  }

  get isEnough(): boolean {
    return this.count >= MIN_DRAWN && this.clusters.size >= MIN_CLUSTERS;
  }

  get rate(): number {
    return this.#bad / this.weight;
  }

  /** That of one more bad and one more good draw (Agresti and Caffo): if none was bad, the rate is still not known to be 0. */
  get minVariance(): number {
    const count = (this.weight * this.weight) / this.#squares + 2;
    const rate = (this.rate * (count - 2) + 1) / count;
    return (rate * (1 - rate)) / count;
  }
}
