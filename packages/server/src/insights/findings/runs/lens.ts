/** Which ends are bad: failed or abandoned; an error came, whether or not the run got over it; or a bad score. */
export type Lens = "failed" | "error" | "scored";

/** Whether a definition decides which runs are bad. That an error came needs none. */
export const isJudged = (lens: Lens): boolean => lens !== "error";
