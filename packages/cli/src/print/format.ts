/** Formats durations and costs like the dashboard. */
export function formatMs(ms: number | null): string {
  if (ms === null) return "";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

export const formatUsd = (usd: number | null) => (usd === null ? "" : `$${usd.toFixed(4)}`);

export const formatTokens = (count: number | null) =>
  count === null ? "" : count < 1_000 ? String(count) : `${(count / 1_000).toFixed(1)}k`;

/** TOOL_SELECTION becomes "Tool selection". */
export function formatType(type: string): string {
  const words = type.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "1 span", "2 spans". */
export const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB"];

/** `840 B`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[power]}`;
}
