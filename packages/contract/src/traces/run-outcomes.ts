/** How a run ended, in the order of the numbers that are stored. open: it is running. */
export const RUN_OUTCOMES = ["good", "bad", "unknown", "open"] as const;
