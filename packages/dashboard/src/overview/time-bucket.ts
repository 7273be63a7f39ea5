import type { TraceStats } from "@whytrace/contract";

const LENGTH_MS = { hour: 3_600_000, day: 24 * 3_600_000 };
const DAY = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
const HOUR = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit" });

type Interval = TraceStats["interval"];

/** Search parameters of the trace list for the traces that started in a bucket. */
export const startedInBucket = (start: string, interval: Interval) => ({
  startedFrom: start,
  startedTo: new Date(Date.parse(start) + LENGTH_MS[interval]).toISOString(),
});

/** `14:00` or `3 Mar`, in UTC like the buckets. */
export const shortBucketLabel = (start: string, interval: Interval) =>
  (interval === "hour" ? HOUR : DAY).format(Date.parse(start));

export const longBucketLabel = (start: string, interval: Interval) =>
  interval === "hour"
    ? `${DAY.format(Date.parse(start))}, ${shortBucketLabel(start, interval)}`
    : shortBucketLabel(start, interval);
