/**
 * How many sessions of equal size would tell as much: Kish's (Σn)² / Σn². Of a session with a thousand decisions and nine with
 * one, it is 1.02 and not 10.
 */
export const effectiveSessions = (decisions: number, decisionSquares: number) =>
  decisionSquares > 0 ? decisions ** 2 / decisionSquares : 0;
