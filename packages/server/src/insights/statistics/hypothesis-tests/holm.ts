/**
 * Holm's correction for many tests, in the order of the input: the probability that any of the entries with a result of at most
 * 5 % is false is at most 5 %.
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = [...pValues.entries()].sort(([, one], [, other]) => one - other);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let largest = 0;
  for (const [smaller, [index, p]] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, p * (pValues.length - smaller)));
    adjusted[index] = largest;
  }
  return adjusted;
}
