import { HttpError } from "../http/http-error.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
export const RANGE_ERROR = "Invalid range. from must be before to, and both at most 90 days apart.";

/** Days in UTC, from `from` on and before `to`: YYYY-MM-DD. */
export interface IssueRange {
  from: string;
  to: string;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The range that a request asks for: by default the last 30 days with today. */
export function parseRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: number,
): IssueRange {
  const end = to === undefined ? Date.parse(dayOf(now)) + DAY_MS : parseDay(to);
  const start = from === undefined ? end - DEFAULT_DAYS * DAY_MS : parseDay(from);
  // PostgreSQL has no year 0.
  if (start < 0 || !(start < end) || end - start > MAX_DAYS * DAY_MS) throw new HttpError(400, RANGE_ERROR);
  return { from: dayOf(start), to: dayOf(end) };
}

function parseDay(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw new HttpError(400, RANGE_ERROR);
  return ms;
}

/** All days of a range. */
export function daysOf({ from, to }: IssueRange): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += DAY_MS) days.push(dayOf(ms));
  return days;
}
