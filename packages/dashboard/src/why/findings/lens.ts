import type { Findings } from "@whytrace/contract";

/** What makes a run bad: it failed; an error came, whether or not the run got over it; or it has a bad score. */
export const LENSES = ["failed", "error", "scored"] as const satisfies readonly Findings["lens"][];
export type Lens = (typeof LENSES)[number];

export const LENS_LABELS: Readonly<Record<Lens, string>> = {
  failed: "Failed",
  error: "An error came",
  scored: "Bad score",
};
