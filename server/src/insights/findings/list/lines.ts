/** What is compared: a line belongs to a stratum, is exposed to options, has a risk, and is bad or not. */
export interface Lines<Line> {
  lines: readonly Line[];
  strata: number;
  options: number;
  /** Lines that belong together have the same number and follow each other. */
  clusterOf(line: Line): number;
  weightOf(line: Line): number;
  stratumOf(line: Line): number;
  exposuresOf(line: Line): readonly number[];
  isBad(line: Line): boolean;
  riskOf(line: Line): number;
  /** Whether a line can be bad once only: fewer of the bad ones are left to draw then. */
  isOnce: boolean;
}
