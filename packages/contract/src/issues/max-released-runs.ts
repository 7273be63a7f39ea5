/** Of agents with more runs in a range, the shares of releases are not computed. */
export const MAX_RELEASED_RUNS = 50_000;
