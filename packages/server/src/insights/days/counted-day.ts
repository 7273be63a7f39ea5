import { CHOICE_COLUMNS, CHOICE_COUNTS, COUNTS } from "./count-columns.ts";
import { CountTable } from "./count-table.ts";
import { KeyTable } from "./key-table.ts";

/** What is known of some choices on one day. */
interface DayCounts {
  decisions: number;
  decisionSquares: number;
  signatureProducts: number;
}

/** Numbers of columns. */
const DAY_COUNTS = { decisions: 0, decisionSquares: 1, signatureProducts: 2 } as const;
const WIDTH = 3;
const NOWHERE = -1;
/** Where a column of `choices` counts; decisions that have ended count together, since shares need no outcome. */
const TARGETS = new Int8Array(CHOICE_COLUMNS).fill(NOWHERE);
for (const outcome of [
  COUNTS.fine,
  COUNTS.recovered,
  COUNTS.failedElsewhere,
  COUNTS.failedHere,
  COUNTS.unknown,
])
  TARGETS[outcome] = DAY_COUNTS.decisions;
TARGETS[CHOICE_COUNTS.endedSquares] = DAY_COUNTS.decisionSquares;
TARGETS[CHOICE_COUNTS.signatureProducts] = DAY_COUNTS.signatureProducts;

/** A day of a range: its choices, by row of the range's tally, and the groups that ran. */
export class CountedDay {
  readonly day: string;
  readonly groups: number[] = [];
  /** A day has few of the range's choices, so they are found by key and not by their row. */
  readonly #sums = new CountTable(WIDTH, new KeyTable(Number.POSITIVE_INFINITY));

  constructor(day: string) {
    this.day = day;
  }

  add(choiceRow: number, column: number, count: number) {
    const target = TARGETS[column] ?? NOWHERE;
    if (target === NOWHERE) return;
    this.#sums.add(this.#sums.row(choiceRow, 0, 0), target, count);
  }

  /** Of some choices together. */
  sum(choiceRows: readonly number[]): DayCounts {
    const sum: DayCounts = { decisions: 0, decisionSquares: 0, signatureProducts: 0 };
    for (const choiceRow of choiceRows) {
      const row = this.#sums.keys.find(choiceRow, 0, 0);
      if (row < 0) continue;
      sum.decisions += this.#sums.get(row, DAY_COUNTS.decisions);
      sum.decisionSquares += this.#sums.get(row, DAY_COUNTS.decisionSquares);
      sum.signatureProducts += this.#sums.get(row, DAY_COUNTS.signatureProducts);
    }
    return sum;
  }

  get byteLength(): number {
    return this.#sums.byteLength;
  }
}
