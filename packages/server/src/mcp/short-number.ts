/** Four digits are enough for a reader, and sums of floating point numbers have sixteen. Whole numbers stay. */
export function shortNumber<T extends number | null>(value: T): T | number {
  if (value === null || Number.isInteger(value)) return value;
  return Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(4));
}
