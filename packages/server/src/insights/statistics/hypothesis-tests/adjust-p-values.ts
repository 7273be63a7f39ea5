/**
 * Benjamini and Hochberg's correction for many tests: of all entries with a result of at most 5 %, at most 5 % are expected
 * to be false.
 */
export function adjustPValues(pValues: readonly number[]): number[] {
  const descending = [...pValues.entries()].sort(([, one], [, other]) => other - one);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let smallest = 1;
  for (const [larger, [index, p]] of descending.entries()) {
    smallest = Math.min(smallest, (p * pValues.length) / (pValues.length - larger));
    adjusted[index] = smallest;
  }
  return adjusted;
}
