import { FenwickTree } from "../../decision-facts/fenwick-tree.ts";
import type { ValueSums, WindowFigures } from "../check/evaluation.ts";
import { NO_FIGURES } from "../check/evaluation.ts";
import type { Counted } from "../statistics/past-test.ts";
import { quantileRanks } from "../statistics/quantile-ranks.ts";

/** The runs of one minute. */
export interface MinuteRow extends Counted {
  /** Counted from the first minute. */
  minute: number;
  costs: number;
  costSum: number;
  costSquares: number;
}

/** Sums by minute, from which the figures of any window follow in constant time. */
export class MinuteSums {
  readonly #runs: Float64Array;
  readonly #bad: Float64Array;
  readonly #costs: Float64Array;
  readonly #costSums: Float64Array;
  readonly #costSquares: Float64Array;

  constructor(minutes: number, rows: readonly MinuteRow[]) {
    const sums = (value: (row: MinuteRow) => number) => {
      const before = new Float64Array(minutes + 1);
      for (const row of rows)
        if (row.minute >= 0 && row.minute < minutes) before[row.minute + 1] = value(row);
      for (let i = 1; i <= minutes; i += 1) before[i] = (before[i] ?? 0) + (before[i - 1] ?? 0);
      return before;
    };
    this.#runs = sums(({ runs }) => runs);
    this.#bad = sums(({ bad }) => bad);
    this.#costs = sums(({ costs }) => costs);
    this.#costSums = sums(({ costSum }) => costSum);
    this.#costSquares = sums(({ costSquares }) => costSquares);
  }

  /** Of the minutes from `from` to before `to`. */
  counted(from: number, to: number): Counted {
    return { runs: between(this.#runs, from, to), bad: between(this.#bad, from, to) };
  }

  costs(from: number, to: number): ValueSums {
    return {
      count: between(this.#costs, from, to),
      sum: between(this.#costSums, from, to),
      squares: between(this.#costSquares, from, to),
    };
  }
}

function between(sums: Float64Array, from: number, to: number): number {
  const at = (minute: number) => sums[Math.min(sums.length - 1, Math.max(0, minute))] ?? 0;
  return at(to) - at(from);
}

/** Durations by the minute in which their run started; the window only moves forward. */
export class DurationWindow {
  readonly #rows: readonly { minute: number; rank: number }[];
  readonly #sorted: Float64Array;
  readonly #tree: FenwickTree;
  #added = 0;
  #removed = 0;

  /** The rows are in the order of their minutes. */
  constructor(rows: readonly { minute: number; durationMs: number }[]) {
    const order = rows
      .map((_, index) => index)
      .sort((a, b) => (rows[a]?.durationMs ?? 0) - (rows[b]?.durationMs ?? 0));
    const ranks = new Array<number>(rows.length);
    for (const [rank, index] of order.entries()) ranks[index] = rank;
    this.#rows = rows.map(({ minute }, index) => ({ minute, rank: ranks[index] ?? 0 }));
    this.#sorted = Float64Array.from(order, (index) => rows[index]?.durationMs ?? 0);
    this.#tree = new FenwickTree(rows.length);
  }

  moveTo(from: number, to: number, quantile: number): WindowFigures["durations"] {
    for (let row = this.#rows[this.#added]; row && row.minute < to; row = this.#rows[this.#added]) {
      this.#tree.add(row.rank, 1);
      this.#added += 1;
    }
    for (let row = this.#rows[this.#removed]; row && row.minute < from; row = this.#rows[this.#removed]) {
      this.#tree.add(row.rank, -1);
      this.#removed += 1;
    }
    const count = this.#added - this.#removed;
    if (count <= 0) return NO_FIGURES.durations;
    const { low, value, high } = quantileRanks(count, quantile);
    return { count, low: this.#at(low), value: this.#at(value), high: this.#at(high) };
  }

  /** The value at a rank, from 1, of those in the window. */
  #at(rank: number): number {
    let [first, last] = [0, this.#sorted.length - 1];
    while (first < last) {
      const middle = (first + last) >> 1;
      if (this.#tree.sum(0, middle + 1) >= rank) last = middle;
      else first = middle + 1;
    }
    return this.#sorted[first] ?? 0;
  }
}
