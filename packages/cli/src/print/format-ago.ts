const UNITS: readonly [ms: number, name: string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
];

/** "2 min ago", "3 h ago", "now". */
export function formatAgo(ms: number, now: number): string {
  const [length, name] = UNITS.find(([unit]) => now - ms >= unit) ?? [];
  return length === undefined ? "now" : `${Math.floor((now - ms) / length)} ${name} ago`;
}
