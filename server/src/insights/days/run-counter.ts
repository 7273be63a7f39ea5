import { COUNTS } from "./count-columns.ts";
import type { CountTable } from "./count-table.ts";

/** The decisions of one row in the run that is being counted. */
interface RunCounts {
  row: number;
  decisions: number;
  failed: number;
  recovered: number;
}

/** Counts the decisions of one run after another in a table whose columns begin with COUNTS. */
export class RunCounter {
  readonly #table: CountTable;
  /** The rows that the run has decisions of are the first `#size` ones; the others are reused by the next runs. */
  readonly #counts: RunCounts[] = [];
  #size = 0;
  /** By row of the table: where it is in `#counts`, from 1 on; 0 if the run has no decision of it. */
  #places = new Int32Array(256);

  constructor(table: CountTable) {
    this.#table = table;
  }

  /** Decisions of a running trace have no outcome yet. */
  countOpen(row: number) {
    this.#table.add(row, COUNTS.open, 1);
  }

  count(row: number, outcome: number, isFailed: boolean) {
    this.#table.add(row, outcome, 1);
    const counts = this.#counts[(this.#places[row] || this.#place(row)) - 1];
    if (!counts) return;
    counts.decisions += 1;
    if (isFailed) counts.failed += 1;
    if (outcome === COUNTS.recovered) counts.recovered += 1;
  }

  #place(row: number): number {
    if (row >= this.#places.length) {
      const places = new Int32Array(Math.max(row + 1, this.#places.length * 2));
      places.set(this.#places);
      this.#places = places;
    }
    const counts = this.#counts[this.#size];
    if (counts) {
      counts.row = row;
      counts.decisions = counts.failed = counts.recovered = 0;
    } else this.#counts.push({ row, decisions: 0, failed: 0, recovered: 0 });
    this.#size += 1;
    this.#places[row] = this.#size;
    return this.#size;
  }

  /** How many decisions of a row the current run has so far. */
  decisions(row: number): number {
    return this.#counts[(this.#places[row] ?? 0) - 1]?.decisions ?? 0;
  }

  /** Adds up the run. Calls `onRow` for each of its rows. */
  endRun(isError: boolean, onRow?: (row: number, decisions: number) => void) {
    const table = this.#table;
    const ofRun = this.#counts.slice(0, this.#size);
    for (const { row, decisions, failed, recovered } of ofRun) {
      table.add(row, COUNTS.runs, 1);
      if (failed > 0) table.add(row, COUNTS.failedRuns, 1);
      if (recovered > 0) table.add(row, COUNTS.recoveredRuns, 1);
      if (isError) table.add(row, COUNTS.errorRuns, 1);
      table.add(row, COUNTS.decisionSquares, decisions * decisions);
      table.add(row, COUNTS.products, decisions * failed);
      table.add(row, COUNTS.failedSquares, failed * failed);
      onRow?.(row, decisions);
    }
    for (const { row } of ofRun) this.#places[row] = 0;
    this.#size = 0;
  }
}
