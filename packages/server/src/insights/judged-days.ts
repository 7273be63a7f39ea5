import type { Judging } from "../trace-store/outcomes/outcome-jobs.ts";
import type { DayRange } from "./days/read-days.ts";

/** The days of a range whose runs are all judged by the same definition; an empty range if there are none. */
export function judgedDays({ from, to }: DayRange, judging: Judging | undefined): DayRange {
  if (!judging) return { from, to };
  const firstDay = judging.firstDay ?? to;
  return { from: firstDay < from ? from : firstDay < to ? firstDay : to, to };
}
