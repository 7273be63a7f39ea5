/** `+1 m 51 s`, `−2`. Empty if a value is unknown or both are the same. */
export function formatDifference(
  a: number | null,
  b: number | null,
  format: (value: number) => string,
): string {
  if (a === null || b === null || a === b) return "";
  return `${b > a ? "+" : "−"}${format(Math.abs(b - a))}`;
}
