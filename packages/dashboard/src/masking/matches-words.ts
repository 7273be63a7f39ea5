import type { MaskedMatches } from "@whytrace/contract/schemas/masking/settings";

const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

/** Over which time matches are counted: a busy workspace's over less than 7 days. */
export function matchesSince(since: string, now: number): string {
  const isWeek = now - Date.parse(since) > WEEK_MS - HOUR_MS;
  return isWeek
    ? "in the last 7 days"
    : `in the last ${Math.max(1, Math.round((now - Date.parse(since)) / HOUR_MS))} h`;
}

/** What was masked by type, the most frequent first. */
export function typesMasked({ types }: MaskedMatches): string {
  return Object.entries(types)
    .sort(([, a], [, b]) => b - a)
    .map(([type, count]) => `${count.toLocaleString("en")} ${type === "notChecked" ? "not checked" : type}`)
    .join(", ");
}

export function ruleMatches(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "match" : "matches"}`;
}
