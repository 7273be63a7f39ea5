const DAY_MS = 24 * 3_600_000;

/** Time ranges that end now. */
export const RANGES = {
  "24h": { label: "24 hours", lengthMs: DAY_MS },
  "7d": { label: "7 days", lengthMs: 7 * DAY_MS },
  "30d": { label: "30 days", lengthMs: 30 * DAY_MS },
  "90d": { label: "90 days", lengthMs: 90 * DAY_MS },
} as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];
