import type { InsightsRange } from "@whytrace/contract";
import { HttpError } from "../http/http-error.ts";
import { dateParam } from "../http/request/query-params.ts";
import type { Judging } from "../trace-store/outcomes/outcome-jobs.ts";
import type { DayRange } from "./days/read-days.ts";

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 100;
const RANGE = `Invalid range. from must be before to, by at most ${MAX_DAYS} days.`;
/** Outside these years a day has no four-digit year. */
const YEARS = "Invalid range. It must lie between the years 1000 and 9998.";
const [MIN_MS, MAX_MS] = [Date.UTC(1000, 0), Date.UTC(9999, 0)];

export const rangeParams = {
  from: dateParam(
    "from",
    `Start of the time range, an ISO 8601 date. Default: ${DEFAULT_DAYS} days before the end`,
  ),
  to: dateParam("to", "End of the time range, an ISO 8601 date. Default: now"),
};
export const RANGE_ERRORS = [RANGE, YEARS];
export const RANGE_DESCRIPTION =
  "Counts traces by the UTC day in which they started. The time range is extended to whole days; `from` and `to` of the " +
  "response give the result.";

/** Extends a time range to whole UTC days. */
export function parseDayRange({
  from,
  to = Date.now(),
}: {
  from?: number | undefined;
  to?: number | undefined;
}): DayRange {
  const fromMs = Math.floor((from ?? to - (DEFAULT_DAYS - 1) * DAY_MS) / DAY_MS) * DAY_MS;
  const toMs = Math.ceil(to / DAY_MS) * DAY_MS;
  if (!((from ?? fromMs) < to) || toMs - fromMs > MAX_DAYS * DAY_MS) throw new HttpError(400, RANGE);
  if (fromMs < MIN_MS || toMs > MAX_MS) throw new HttpError(400, YEARS);
  return { from: dayOf(fromMs), to: dayOf(toMs) };
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
export const dayAfter = (day: string) => dayOf(Date.parse(day) + DAY_MS);
const startOf = (day: string) => `${day}T00:00:00.000Z`;

/** What a response says about the range that it counted. */
export function describeRange(
  { from, to }: DayRange,
  {
    daysLeft,
    tracesLeft = 0,
    judging,
  }: { daysLeft: number; tracesLeft?: number; judging?: Judging | undefined },
): InsightsRange {
  const progress = daysLeft === 0 && tracesLeft === 0 ? {} : { progress: { daysLeft, tracesLeft } };
  return {
    from: startOf(from),
    to: startOf(to),
    ...progress,
    ...(judging && { judging: describeJudging(judging) }),
  };
}

export const describeJudging = ({ firstDay, runsLeft }: Judging): NonNullable<InsightsRange["judging"]> => ({
  countedFrom: firstDay && startOf(firstDay),
  runsLeft,
});

/** Every day of a range, the first one first. */
export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += DAY_MS) days.push(dayOf(ms));
  return days;
}
