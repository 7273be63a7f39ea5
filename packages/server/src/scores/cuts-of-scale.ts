/** Usual scales from 0 on, by their end, and round numbers that could separate bad from good on them. */
const SCALES: readonly (readonly [max: number, cuts: readonly number[]])[] = [
  [1, [0.25, 0.5, 0.75]],
  [5, [2, 3, 4]],
  [10, [3, 5, 7]],
  [100, [25, 50, 75]],
];

/** Up to three numbers that could separate bad from good among numbers from `min` to `max`. */
export function cutsOfScale({ min, max }: { min: number; max: number }): number[] {
  const usual = min >= 0 ? SCALES.find(([end]) => max <= end) : undefined;
  if (usual) return [...usual[1]];
  // Half of each avoids an overflow of the difference of two large numbers.
  const cuts = [0.25, 0.5, 0.75].map((share) => min * (1 - share) + max * share);
  const rounded = cuts.map((cut) => Number(cut.toPrecision(2)));
  return [...new Set(rounded)].filter((cut) => cut > min && cut <= max);
}
