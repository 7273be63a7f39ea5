import { Random } from "@whytrace/demo";

/** Draws what agents do. */
export class WorldRandom extends Random {
  uniform(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** One of a list that is not empty. */
  oneOf<T>(list: readonly T[]): T {
    const picked = list[this.between(0, list.length - 1)];
    if (picked === undefined) throw new Error("the list is empty");
    return picked;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  exponential(): number {
    return -Math.log(1 - this.next());
  }

  /** A rate of one member of a group: its mean over all members is `mean`, and two draws of a member correlate by `icc`. */
  memberRate(mean: number, icc: number): number {
    const size = (1 - icc) / icc;
    const yes = this.#gamma(mean * size);
    return yes / (yes + this.#gamma((1 - mean) * size));
  }

  /** A gamma variate of scale 1, by the method of Marsaglia and Tsang. */
  #gamma(shape: number): number {
    if (shape < 1) return this.#gamma(shape + 1) * (1 - this.next()) ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - this.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }
}
