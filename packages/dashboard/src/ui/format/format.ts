/** The server sums up to the largest number and no further. */
const isBeyondLimit = (value: number) => Math.abs(value) === Number.MAX_VALUE;
const TOO_LARGE = "too large";

/** `840 ms`, `1.24 s`, `2 m 05 s`. An unknown value is shown as a dash, never as 0. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return "—";
  if (isBeyondLimit(ms)) return TOO_LARGE;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} m ${String(Math.floor((ms % 60_000) / 1_000)).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`;
}

/** `$0.0042`, `<$0.0001`, `$12.40`. */
export function formatCost(usd: number | null): string {
  if (usd === null) return "—";
  if (isBeyondLimit(usd)) return TOO_LARGE;
  if (usd === 0) return "$0";
  if (Math.abs(usd) < 0.0001) return "<$0.0001";
  return `$${usd.toFixed(Math.abs(usd) < 1 ? 4 : 2)}`;
}

/** `12.4k`. Show the exact number in a tooltip. */
export function formatCount(count: number | null): string {
  if (count === null) return "—";
  if (isBeyondLimit(count)) return TOO_LARGE;
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `840 B`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[power]}`;
}

export const formatExact = (count: number | null) =>
  count === null ? undefined : count.toLocaleString("en");

/** `4 Dec 2026`, in UTC. */
export const formatDate = (ms: number) =>
  new Date(ms).toLocaleDateString("en-GB", { timeZone: "UTC", dateStyle: "medium" });

const UNITS: [limitSeconds: number, unit: string, unitSeconds: number][] = [
  [60, "s", 1],
  [3_600, "min", 60],
  [86_400, "h", 3_600],
  [86_400 * 30, "d", 86_400],
];

/** `2 min ago`. Show the exact time in a tooltip. */
export function formatRelativeTime(instant: string, nowMs: number): string {
  const seconds = Math.round((nowMs - Date.parse(instant)) / 1_000);
  if (Math.abs(seconds) < 5) return "just now";
  const [, unit, unitSeconds] = UNITS.find(([limitSeconds]) => Math.abs(seconds) < limitSeconds) ?? [];
  if (!unit || !unitSeconds) return instant.slice(0, 10);
  // What was to be in 7 d a minute ago still is.
  if (seconds < 0) return `in ${Math.round(-seconds / unitSeconds)} ${unit}`;
  return `${Math.floor(seconds / unitSeconds)} ${unit} ago`;
}
