/** Durations that people expect on a time axis. */
export const ROUND_DURATIONS_MS = [
  ...[1, 2, 3, 5, 10, 15, 20, 30, 50, 100, 200, 300, 500],
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((s) => s * 1_000),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((min) => min * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48, 72, 168, 336, 672].map((h) => h * 3_600_000),
];

const UNITS = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** `0`, `500 ms`, `20 s`, `5 m`, `1 h 30 m`: a multiple of a round duration, without units that are 0. */
export function formatRoundDuration(ms: number): string {
  let restMs = Math.round(ms);
  const parts: string[] = [];
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(restMs / unitMs);
    restMs -= count * unitMs;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ") || "0";
}
