import { CHOICE_COLUMNS, CHOICE_COUNTS, COUNTS } from "./count-columns.ts";
import { CountTable } from "./count-table.ts";
import { KeyTable } from "./key-table.ts";

/** What is known of a choice on one day. */
export interface DayChoice {
  decisions: number;
  runs: number;
  decisionSquares: number;
  signatureProducts: number;
}

const NOT_CHOSEN: DayChoice = { decisions: 0, runs: 0, decisionSquares: 0, signatureProducts: 0 };
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

  get(choiceRow: number): DayChoice {
    const row = this.#sums.keys.find(choiceRow, 0, 0);
    if (row < 0) return NOT_CHOSEN;
    return {
      decisions: this.#sums.get(row, 0),
      runs: this.#sums.get(row, 1),
      decisionSquares: this.#sums.get(row, 2),
      signatureProducts: this.#sums.get(row, 3),
    };
  }

  get byteLength(): number {
    return this.#sums.byteLength;
  }
}
