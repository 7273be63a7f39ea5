import type { DecisionPointType, Rate } from "@whytrace/contract";
import { wilsonIntervalBySession } from "../statistics/hypothesis-tests/wilson-interval.ts";
import type { SessionSums } from "../statistics/session-sums.ts";
import { CHOICE_COLUMNS, CHOICE_COUNTS, COUNTS, SHARE_UNITS } from "./count-columns.ts";
import { countOutcomes } from "./count-outcomes.ts";
import type { CountTable } from "./count-table.ts";

/** Rows of a table whose columns begin with COUNTS, added up: what followed some decisions of one type. */
export class OutcomeSums {
  readonly type: DecisionPointType;
  readonly #sums = new Float64Array(CHOICE_COLUMNS);

  constructor(type: DecisionPointType) {
    this.type = type;
  }

  add(table: CountTable, row: number) {
    for (let column = 0; column < table.width; column += 1)
      this.#sums[column] = this.#of(column) + table.get(row, column);
  }

  #of(column: number): number {
    return this.#sums[column] ?? 0;
  }

  get open() {
    return this.#of(COUNTS.open);
  }

  get unknown() {
    return this.#of(COUNTS.unknown);
  }

  /** Σm² over the sessions: m counts decisions that have ended, unknown or not. */
  get endedSquares() {
    return this.#of(CHOICE_COUNTS.endedSquares);
  }

  /** Those that have ended, without unknown ones. */
  get decisions() {
    return this.#outcomes.decisions;
  }

  get failed() {
    return this.#outcomes.failed;
  }

  get #outcomes() {
    return countOutcomes(this.type, (column) => this.#of(column));
  }

  /** Runs that are bad, whether or not the decision counts as failed. */
  get errorRuns() {
    return this.#of(COUNTS.errorRuns);
  }

  get sessionSums(): SessionSums {
    return {
      sessions: this.#of(COUNTS.sessions),
      decisions: this.decisions,
      failed: this.failed,
      decisionSquares: this.#of(COUNTS.decisionSquares),
      products: this.#of(COUNTS.products),
      failedSquares: this.#of(COUNTS.failedSquares),
      failedShares: this.#of(COUNTS.failedShares) / SHARE_UNITS,
    };
  }

  get rate(): Rate {
    const { low, high } = wilsonIntervalBySession(this.sessionSums);
    return {
      decisions: this.decisions,
      failed: this.failed,
      recovered: this.#of(COUNTS.recovered),
      runs: this.#of(COUNTS.runs),
      failedRuns: this.#of(COUNTS.failedRuns),
      recoveredRuns: this.#of(COUNTS.recoveredRuns),
      low,
      high,
    };
  }
}
