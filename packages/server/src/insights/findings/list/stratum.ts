import type { Lines } from "./lines.ts";

/** The lines of a stratum that are exposed to one option. */
interface StratumCell {
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
  badRiskSquares = 0;
  riskSquares = 0;
  /** Whether lines count with other amounts than 0 and 1: they stand for more than themselves, or are costs. */
  hasAmounts = false;
  residualSquares = 0;
  readonly cells = new Map<number, StratumCell>();
  shared: readonly (readonly [option: number, cell: StratumCell])[] = [];

  add<Line>(compared: Lines<Line>, line: Line, exposures: readonly number[]) {
    const weight = compared.weightOf(line);
    const bad = weight * compared.badOf(line);
    const risk = weight * compared.riskOf(line);
    this.count += 1;
    this.risk += risk;
    this.riskSquares += risk * risk;
    if (weight !== 1 || (bad !== 0 && bad !== 1)) this.hasAmounts = true;
    if (bad > 0) {
      this.bad += bad;
      this.badLines += 1;
      this.badSquares += bad * bad;
      this.badRiskSquares += bad * risk;
    }
    for (const option of exposures) {
      const cell = this.cells.get(option) ?? { count: 0, risk: 0, bad: 0, share: 0, isShared: false };
      this.cells.set(option, cell);
      cell.count += 1;
      cell.risk += risk;
      cell.bad += bad;
    }
  }

  /**
   * The variance of the excess of an option, if lines were exposed to it at random. If lines stand for others, what the good ones
   * say is uncertain, too: sampling keeps only some of them.
   */
  variance({ count: exposed, share }: StratumCell, isOnce: boolean): number {
    const { count, badLines, badSquares } = this;
    if (!this.hasAmounts)
      return badSquares * share * (1 - share) * (isOnce ? (count - badLines) / Math.max(1, count - 1) : 1);
    const rate = this.bad / this.risk;
    const squares = badSquares - 2 * rate * this.badRiskSquares + rate * rate * this.riskSquares;
    const spread = isOnce ? (squares * count) / Math.max(1, count - 1) : Math.max(badSquares, squares);
    return spread * (exposed / count) * (1 - exposed / count);
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
