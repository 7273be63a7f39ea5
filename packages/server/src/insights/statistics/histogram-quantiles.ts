import type { Quantiles } from "@whytrace/contract";

/**
 * Quantiles of a histogram: bucket i counts values from `lowerEnd(i)` to `lowerEnd(i + 1)`, between which values are assumed
 * to be spread evenly. Null if it is empty.
 */
export function histogramQuantiles(
  counts: ArrayLike<number>,
  lowerEnd: (bucket: number) => number,
): Quantiles | null {
  let total = 0;
  for (let i = 0; i < counts.length; i += 1) total += counts[i] ?? 0;
  if (total === 0) return null;
  const quantile = (share: number) => {
    let left = share * total;
    let last = 0;
    for (let i = 0; i < counts.length; i += 1) {
      const count = counts[i] ?? 0;
      if (count === 0) continue;
      last = i;
      if (left <= count) return lowerEnd(i) + (left / count) * (lowerEnd(i + 1) - lowerEnd(i));
      left -= count;
    }
    return lowerEnd(last + 1);
  };
  return {
    p5: quantile(0.05),
    p25: quantile(0.25),
    p50: quantile(0.5),
    p75: quantile(0.75),
    p95: quantile(0.95),
  };
}
