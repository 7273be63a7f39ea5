/** Four buckets to a doubling: a quantile is right within 9 %. */
const BUCKETS_PER_DOUBLING = 4;
export const BUCKETS = 128;
/** The unit of the first bucket: durations count from 1 ms, costs from a millionth of a dollar. */
const UNITS = { durationMs: 1, costUsd: 1e-6 } as const;
export type HistogramKind = keyof typeof UNITS;
export const HISTOGRAM_KINDS = ["durationMs", "costUsd"] as const satisfies HistogramKind[];

export function bucketOf(kind: HistogramKind, value: number): number {
  const bucket = Math.floor(BUCKETS_PER_DOUBLING * Math.log2(Math.max(0, value) / UNITS[kind] + 1));
  return Math.min(BUCKETS - 1, bucket);
}

/** The least value that counts in a bucket. */
export const bucketStart = (kind: HistogramKind, bucket: number): number =>
  UNITS[kind] * (2 ** (bucket / BUCKETS_PER_DOUBLING) - 1);
