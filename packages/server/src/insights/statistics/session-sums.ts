/**
 * What followed the choices of one option, added up by session; a run without a session counts as one. A session with n such
 * decisions, of which b failed, adds 1, n, b, n², n·b, b² and b²/n. Running decisions are not counted.
 */
export interface SessionSums {
  sessions: number;
  /** Σn */
  decisions: number;
  /** Σb */
  failed: number;
  /** Σn² */
  decisionSquares: number;
  /** Σn·b */
  products: number;
  /** Σb² */
  failedSquares: number;
  /** Σb²/n */
  failedShares: number;
}
