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
