import type { DayRange } from "../../days/read-days.ts";
import { parseDayRange } from "../../insights-range.ts";
import type { Lens } from "../runs/lens.ts";

const DAY_MS = 24 * 3_600_000;

/** Lists of the last so many days are stored and watched. */
const WINDOWS = [7, 30, 90] as const;
/** The list that is kept up to date for all agents. */
export const MAIN_WINDOW = 30;

export const LENSES = ["failed", "error", "scored"] as const satisfies readonly Lens[];
export const numberOfLens = (lens: Lens): number => LENSES.indexOf(lens);

/** The last days, today included. */
export const windowRange = (days: number): DayRange => {
  const now = Date.now();
  return parseDayRange({ from: now - (days - 1) * DAY_MS, to: now });
};

/** The window that a range of days is; undefined if it is another one. */
export const windowOf = ({ from, to }: DayRange): number | undefined =>
  WINDOWS.find((days) => {
    const range = windowRange(days);
    return range.from === from && range.to === to;
  });
