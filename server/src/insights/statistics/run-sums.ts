/**
 * What followed the choices of one option, added up by run: a run with n such decisions, of which b failed, adds 1, n, b,
 * n², n·b and b². Running decisions are not counted.
 */
export interface RunSums {
  runs: number;
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
}
