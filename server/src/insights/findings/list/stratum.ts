import type { Lines } from "./lines.ts";

/** The lines of a stratum that are exposed to one option. */
export interface StratumCell {
  count: number;
  risk: number;
  bad: number;
  /** Of the stratum's risk. */
  share: number;
  /** Whether the stratum has lines without the option, too. */
  isShared: boolean;
}

/** Sums over the lines that are compared with each other. */
export class Stratum {
  count = 0;
  risk = 0;
  bad = 0;
  badLines = 0;
  badSquares = 0;
  residualSquares = 0;
  readonly cells = new Map<number, StratumCell>();
  shared: readonly (readonly [option: number, cell: StratumCell])[] = [];

  add<Line>(compared: Lines<Line>, line: Line, exposures: readonly number[]) {
    const weight = compared.weightOf(line);
    const isBad = compared.isBad(line);
    const risk = weight * compared.riskOf(line);
    this.count += 1;
    this.risk += risk;
    if (isBad) {
      this.bad += weight;
      this.badLines += 1;
      this.badSquares += weight * weight;
    }
    for (const option of exposures) {
      const cell = this.cells.get(option) ?? { count: 0, risk: 0, bad: 0, share: 0, isShared: false };
      this.cells.set(option, cell);
      cell.count += 1;
      cell.risk += risk;
      if (isBad) cell.bad += weight;
    }
  }

  /** After all lines: the options of which there are lines with and without. */
  share() {
    this.shared = [...this.cells].filter(([, { count }]) => count < this.count);
    for (const [, cell] of this.shared) {
      cell.share = cell.risk / this.risk;
      cell.isShared = true;
    }
    return this.shared;
  }
}
