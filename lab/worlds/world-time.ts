const DAY_MS = 24 * 3_600_000;
/** A Monday, UTC. */
const START_MS = Date.UTC(2026, 0, 5);

/** The runs of an agent come evenly in four weeks, from a Monday on. */
export const WORLD_DAYS = 28;

/** When a run, of so many, starts. */
export const worldTimeMs = (index: number, of: number): number =>
  START_MS + (index / of) * WORLD_DAYS * DAY_MS;

/** Whether a run, of so many, starts at a weekend. */
export const isWeekend = (index: number, of: number): boolean =>
  [0, 6].includes(new Date(worldTimeMs(index, of)).getUTCDay());
