/**
 * The choices of one signature on one side, added up by session; a run without a session counts as one. Both sides list
 * the same options in the same order.
 */
export interface DriftCounts {
  options: readonly {
    /** How often the option was chosen: Σc over the sessions. */
    chosen: number;
    /** Σc² */
    squares: number;
    /** Σc·n, where n is how often the session made this decision, whatever it chose. */
    products: number;
  }[];
}
