import { sql } from "kysely";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_HOURLY_MS = 3 * DAY_MS;
/** A chart of more days is unreadable and slow. */
export const MAX_RANGE_DAYS = 400;

/** A time range of whole UTC hours or days; `fromMs` is inclusive, `toMs` exclusive. */
export interface TimeRange {
  interval: "hour" | "day";
  intervalMs: number;
  fromMs: number;
  toMs: number;
}

/** Extends the range to whole hours or days; returns undefined if it is empty, negative or too long. */
export function alignTimeRange(fromMs: number, toMs: number): TimeRange | undefined {
  if (!(fromMs < toMs) || toMs - fromMs > MAX_RANGE_DAYS * DAY_MS) return undefined;
  const interval = toMs - fromMs <= MAX_HOURLY_MS ? "hour" : "day";
  const intervalMs = interval === "hour" ? HOUR_MS : DAY_MS;
  return {
    interval,
    intervalMs,
    fromMs: Math.floor(fromMs / intervalMs) * intervalMs,
    toMs: Math.ceil(toMs / intervalMs) * intervalMs,
  };
}

export const timestamptz = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
