/** The mean of each value and its two neighbours, as far as they are known. A day without a value stays without one. */
export function rollingMean(values: readonly (number | null)[]): (number | null)[] {
  return values.map((value, index) => {
    if (value === null) return null;
    const known = values.slice(Math.max(0, index - 1), index + 2).filter((one) => one !== null);
    return known.reduce((sum, one) => sum + one, 0) / known.length;
  });
}
