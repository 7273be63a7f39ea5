import type { Release } from "@whytrace/contract";
import type { CountedDay } from "../days/counted-day.ts";
import type { DayRange } from "../days/read-days.ts";
import { daysOf } from "../insights-range.ts";
import type { Turn } from "./row-drift.ts";

/** Where shares of options may have changed: at the first day of each release; without releases, in the middle of the range. */
export function turnsOf(range: DayRange, days: readonly CountedDay[], releases: readonly Release[]): Turn[] {
  const firstDay = days.at(-1)?.day ?? range.from;
  const turns = releases
    .filter((release) => release.firstDay > firstDay)
    .map(({ firstDay: day, name }) => ({ day, name }));
  if (turns.length > 0) return turns;
  const calendar = daysOf(range);
  const middle = calendar[Math.floor(calendar.length / 2)];
  return middle === undefined ? [] : [{ day: middle, name: middle }];
}
