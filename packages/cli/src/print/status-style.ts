/** How each status looks in the terminal. */
export const STATUS_STYLE = { ERROR: "red", RUNNING: "yellow", COMPLETED: "green" } as const;
/** The outcome that a status lets one expect. */
export const EXPECTED_OUTCOME = { ERROR: "bad", RUNNING: "open", COMPLETED: "good" } as const;
export const OUTCOME_STYLE = { good: "green", bad: "red", unknown: "yellow", open: "yellow" } as const;
export const STATUS_MARK = { ERROR: "✕", RUNNING: "…", COMPLETED: "✓" } as const;
