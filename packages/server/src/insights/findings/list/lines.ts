/** What is compared: a line belongs to a stratum, is exposed to options, has a risk, and is bad to some amount. */
export interface Lines<Line> {
  lines: readonly Line[];
  strata: number;
  options: number;
  /** Lines that belong together have the same number and follow each other. */
  clusterOf(line: Line): number;
  weightOf(line: Line): number;
  stratumOf(line: Line): number;
  exposuresOf(line: Line): readonly number[];
  /** 1 or 0 if a line is bad or not; any amount above if it is a cost. */
  badOf(line: Line): number;
  riskOf(line: Line): number;
  /** Whether a line can be bad once only: fewer of the bad ones are left to draw then. */
  isOnce: boolean;
}
