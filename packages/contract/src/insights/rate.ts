/** Ids of signatures, steps and errors are hashes, in hexadecimal: 14 digits for a signature, 8 for the others. */
export type HashId = string;

/** A rate of fewer decisions is shown, but not compared. */
export const MIN_COMPARED_DECISIONS = 20;

/** How far a judge agrees with people is not told from fewer reviewed runs. */
export const MIN_REVIEWED_RUNS = 20;
