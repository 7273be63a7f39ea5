import { incompleteGamma } from "./incomplete-gamma.ts";

/** The probability of `count` or more where `mean` are expected, continued to counts that are not whole. */
export function poissonTail(count: number, mean: number): number {
  if (count <= 0) return 1;
  return mean <= 0 ? 0 : incompleteGamma(count, mean).lower;
}
