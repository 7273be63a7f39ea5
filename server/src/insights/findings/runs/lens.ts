/** Which ends are bad: failed or abandoned; an error came, whether or not the run got over it; or a bad score. */
export type Lens = "failed" | "error" | "scored";
