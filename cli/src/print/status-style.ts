/** How each status looks in the terminal. */
export const STATUS_STYLE = { ERROR: "red", RUNNING: "yellow", COMPLETED: "green" } as const;
export const STATUS_MARK = { ERROR: "✕", RUNNING: "…", COMPLETED: "✓" } as const;
