/** The nearest-rank percentile; a fraction of 0.99 gives p99. */
export function percentile(values: number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);
