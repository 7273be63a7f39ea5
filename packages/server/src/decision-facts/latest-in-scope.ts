import type { ScopeRanges } from "./scope-ranges.ts";

const NONE = -1;

/**
 * Remembers for each scope the latest number that was set, and finds the latest one of all scopes around a span: both take time
 * in the logarithm of the number of spans. Numbers are set in rising order.
 */
export class LatestInScope {
  readonly #ranges: ScopeRanges;
  /** A segment tree: each node stands for a range of a `ScopeRanges`, its children for the halves. */
  readonly #nodes: Int32Array;

  constructor(ranges: ScopeRanges) {
    this.#ranges = ranges;
    this.#nodes = new Int32Array(2 * ranges.size).fill(NONE);
  }

  set(scope: number, value: number) {
    const { size } = this.#ranges;
    let start = this.#ranges.start(scope) + size;
    let end = this.#ranges.end(scope) + size;
    for (; start < end; start >>= 1, end >>= 1) {
      if (start & 1) this.#nodes[start++] = value;
      if (end & 1) this.#nodes[--end] = value;
    }
  }

  /** Of all scopes that contain the span itself; -1 if none was set. */
  around(span: number): number {
    return this.#at(this.#ranges.itself(span));
  }

  /** Of the scope and all that contain it; -1 if none was set. */
  within(scope: number): number {
    return this.#at(this.#ranges.start(scope));
  }

  #at(number: number): number {
    let latest = NONE;
    for (let node = number + this.#ranges.size; node > 0; node >>= 1)
      latest = Math.max(latest, this.#nodes[node] ?? NONE);
    return latest;
  }
}
