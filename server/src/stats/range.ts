import { sql } from "kysely";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURLY_UP_TO_MS = 3 * DAY_MS;
/** Longer than this, a chart of days is no longer read, and its answer no longer quick. */
export const RANGE_MAX_DAYS = 400;

/** A stretch of time cut into UTC hours or days: from inclusive, to exclusive, both on a cut. */
export interface Range {
  interval: "hour" | "day";
  intervalMs: number;
  fromMs: number;
  toMs: number;
}

/** The whole hours or days that the stretch touches; undefined where it is empty, turned round or too long. */
export function rangeOf(fromMs: number, toMs: number): Range | undefined {
  if (!(fromMs < toMs) || toMs - fromMs > RANGE_MAX_DAYS * DAY_MS) return undefined;
  const interval = toMs - fromMs <= HOURLY_UP_TO_MS ? "hour" : "day";
  const intervalMs = interval === "hour" ? HOUR_MS : DAY_MS;
  return {
    interval,
    intervalMs,
    fromMs: Math.floor(fromMs / intervalMs) * intervalMs,
    toMs: Math.ceil(toMs / intervalMs) * intervalMs,
  };
}

export const instant = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`;
