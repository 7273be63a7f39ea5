/** The runs of an agent come evenly in four weeks, from a Monday on. */
export const WORLD_DAYS = 28;

/** Whether a run, of so many, starts at a weekend. */
export const isWeekend = (index: number, of: number): boolean =>
  Math.floor((index / of) * WORLD_DAYS) % 7 >= 5;
