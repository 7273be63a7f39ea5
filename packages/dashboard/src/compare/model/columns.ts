/** Number, A, relation, B; on a phone A, relation and B are below each other. */
export const COLUMNS =
  "grid grid-cols-[2.75rem_minmax(0,1fr)_10.5rem_minmax(0,1fr)] items-center pr-4 max-md:grid-cols-[2rem_minmax(0,1fr)]";

/** A cell that is not the number. */
export const CELL = "min-w-0 max-md:col-start-2";

/** What is opened has a bar at its left edge. */
export const OPENED =
  "relative before:absolute before:inset-y-0 before:left-0 before:z-[1] before:w-[3px] before:bg-accent";
