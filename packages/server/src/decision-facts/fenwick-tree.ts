/** Sums of ranges of numbers, of which each can be increased: both take time in the logarithm of their count. */
export class FenwickTree {
  readonly #sums: Float64Array;

  constructor(count: number) {
    this.#sums = new Float64Array(count + 1);
  }

  add(index: number, amount: number) {
    const sums = this.#sums;
    for (let at = index + 1; at < sums.length; at += at & -at) sums[at] = (sums[at] ?? 0) + amount;
  }

  /** The sum from `start` to before `end`. */
  sum(start: number, end: number): number {
    return this.#before(end) - this.#before(start);
  }

  #before(end: number): number {
    let sum = 0;
    for (let at = end; at > 0; at -= at & -at) sum += this.#sums[at] ?? 0;
    return sum;
  }
}
