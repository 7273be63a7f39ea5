import type { Release } from "@whytrace/contract";
import type { CountedDay } from "../days/counted-day.ts";
import type { DayRange } from "../days/read-days.ts";
import { daysOf } from "../insights-range.ts";
import type { ChangePoint } from "./row-drift.ts";

/** Where shares of options may have changed: at the first day of each release; without releases, in the middle of the range. */
export function changePointsOf(
  range: DayRange,
  days: readonly CountedDay[],
  releases: readonly Release[],
): ChangePoint[] {
  const firstDay = days.at(-1)?.day ?? range.from;
  const changePoints = releases
    .filter((release) => release.firstDay > firstDay)
    .map(({ firstDay: day, name }) => ({ day, name }));
  if (changePoints.length > 0) return changePoints;
  const calendar = daysOf(range);
  const middle = calendar[Math.floor(calendar.length / 2)];
  return middle === undefined ? [] : [{ day: middle, name: middle }];
}
