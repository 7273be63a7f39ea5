import { incompleteGamma } from "./incomplete-gamma.ts";

/** The probability that a chi-squared variable is at least x. */
export const chiSquaredTail = (x: number, degreesOfFreedom: number) =>
  x <= 0 ? 1 : incompleteGamma(degreesOfFreedom / 2, x / 2).upper;
