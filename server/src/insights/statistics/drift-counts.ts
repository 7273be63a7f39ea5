/** The choices of one signature on one side. Both sides list the same options in the same order. */
export interface DriftCounts {
  /** Runs that made this decision at least once. */
  runs: number;
  options: readonly {
    /** How often the option was chosen: Σc over the runs. */
    chosen: number;
    /** Σc² */
    squares: number;
    /** Σc·n, where n is how often the run made this decision, whatever it chose. */
    products: number;
  }[];
}
