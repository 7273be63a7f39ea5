import { chiSquaredTail } from "./chi-squared-tail.ts";
import { incompleteBeta } from "./incomplete-beta.ts";

/**
 * The probability that Fisher's F is at least f. With infinitely many degrees of freedom of the denominator, which estimates a
 * variance, the variance is known.
 */
export function fTail(f: number, degreesOfFreedom: number, denominator: number): number {
  if (f <= 0) return 1;
  if (denominator === Number.POSITIVE_INFINITY) return chiSquaredTail(f * degreesOfFreedom, degreesOfFreedom);
  const x = denominator / (denominator + degreesOfFreedom * f);
  return incompleteBeta(denominator / 2, degreesOfFreedom / 2, x);
}
