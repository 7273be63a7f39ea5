/** How many turns ago a choice was made: finely, and coarsely for as long as there is little to go by. */
const LAGS: readonly (readonly [first: number, last: number])[] = [
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 5],
  [6, 8],
  [9, 12],
  [13, Number.POSITIVE_INFINITY],
  [0, 3],
  [4, 12],
  [0, Number.POSITIVE_INFINITY],
];

export const LAG_COUNT = LAGS.length;
/** The number of the lag that is just now. */
export const NOW = 0;
/** The number of the lag that is any time before or now. */
export const ANY_TIME = LAG_COUNT - 1;

const FINE = 14;
const byTurns = Array.from({ length: FINE }, (_, turns) =>
  LAGS.flatMap(([first, last], lag) => (turns >= first && turns <= last ? [lag] : [])),
);

/** The lags to which a choice so many turns ago belongs. */
export const lagsOf = (turnsAgo: number): readonly number[] => byTurns[Math.min(turnsAgo, FINE - 1)] ?? [];

/** Most runs are short, and few different lists then come again and again. */
const KEPT = 256;
const kept = Array.from({ length: KEPT }, (_, turnsAfter) => countExposed(turnsAfter));

/** Of a choice that so many turns at risk follow: how many turns it exposes at each lag, itself included. */
export const exposedTurns = (turnsAfter: number): readonly number[] =>
  kept[turnsAfter] ?? countExposed(turnsAfter);

function countExposed(turnsAfter: number): number[] {
  return LAGS.map(([first, last]) => Math.max(0, Math.min(last, turnsAfter) - first + 1));
}
