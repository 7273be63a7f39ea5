import { CHOICE_COLUMNS, CHOICE_COUNTS, COUNTS } from "./count-columns.ts";

/** What is known of a choice on one day. */
export interface DayChoice {
  decisions: number;
  runs: number;
  decisionSquares: number;
  signatureProducts: number;
}

const WIDTH = 4;
const NOWHERE = -1;
/** Where a column of `choices` counts; the outcomes of decisions that have ended count together. */
const TARGETS = new Int8Array(CHOICE_COLUMNS).fill(NOWHERE);
for (const outcome of [COUNTS.fine, COUNTS.recovered, COUNTS.failedElsewhere, COUNTS.failedHere])
  TARGETS[outcome] = 0;
TARGETS[COUNTS.runs] = 1;
TARGETS[COUNTS.decisionSquares] = 2;
TARGETS[CHOICE_COUNTS.signatureProducts] = 3;

/** A day of a range: its choices, by row of the range's tally, and the groups that ran. */
export class CountedDay {
  readonly day: string;
  readonly groups: number[] = [];
  #sums = new Float64Array(0);

  constructor(day: string) {
    this.day = day;
  }

  add(choiceRow: number, column: number, count: number) {
    const target = TARGETS[column] ?? NOWHERE;
    if (target === NOWHERE) return;
    const at = choiceRow * WIDTH + target;
    if (at >= this.#sums.length) {
      const sums = new Float64Array((choiceRow + 1) * 2 * WIDTH);
      sums.set(this.#sums);
      this.#sums = sums;
    }
    this.#sums[at] = (this.#sums[at] ?? 0) + count;
  }

  get(choiceRow: number): DayChoice {
    const at = choiceRow * WIDTH;
    const sums = this.#sums;
    return {
      decisions: sums[at] ?? 0,
      runs: sums[at + 1] ?? 0,
      decisionSquares: sums[at + 2] ?? 0,
      signatureProducts: sums[at + 3] ?? 0,
    };
  }
}
