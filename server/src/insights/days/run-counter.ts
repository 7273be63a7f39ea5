import { COUNTS } from "./count-columns.ts";
import type { CountTable } from "./count-table.ts";

/** The decisions of one key in the run that is being counted. */
interface RunCounts {
  decisions: number;
  failed: number;
  recovered: number;
}

/** Counts the decisions of one run after another in a table whose columns begin with COUNTS. */
export class RunCounter {
  readonly #table: CountTable;
  readonly #counts: RunCounts[] = [];
  /** Rows that the run has decisions of. */
  readonly #rows: number[] = [];

  constructor(table: CountTable) {
    this.#table = table;
  }

  /** Decisions of a running trace have no outcome yet. */
  countOpen(row: number) {
    this.#table.add(row, COUNTS.open, 1);
  }

  count(row: number, outcome: number, isFailed: boolean) {
    this.#table.add(row, outcome, 1);
    this.#counts[row] ??= { decisions: 0, failed: 0, recovered: 0 };
    const counts = this.#counts[row];
    if (counts.decisions === 0) this.#rows.push(row);
    counts.decisions += 1;
    if (isFailed) counts.failed += 1;
    if (outcome === COUNTS.recovered) counts.recovered += 1;
  }

  /** How many decisions of a row the current run has so far. */
  decisions(row: number): number {
    return this.#counts[row]?.decisions ?? 0;
  }

  /** Adds up the run. Calls `onRow` for each of its rows. */
  endRun(isError: boolean, onRow?: (row: number, decisions: number) => void) {
    const table = this.#table;
    for (const row of this.#rows) {
      const { decisions, failed, recovered } = this.#counts[row] ?? { decisions: 0, failed: 0, recovered: 0 };
      table.add(row, COUNTS.runs, 1);
      if (failed > 0) table.add(row, COUNTS.failedRuns, 1);
      if (recovered > 0) table.add(row, COUNTS.recoveredRuns, 1);
      if (isError) table.add(row, COUNTS.errorRuns, 1);
      table.add(row, COUNTS.decisionSquares, decisions * decisions);
      table.add(row, COUNTS.products, decisions * failed);
      table.add(row, COUNTS.failedSquares, failed * failed);
      onRow?.(row, decisions);
    }
    for (const row of this.#rows) {
      const counts = this.#counts[row];
      if (counts) counts.decisions = counts.failed = counts.recovered = 0;
    }
    this.#rows.length = 0;
  }
}
