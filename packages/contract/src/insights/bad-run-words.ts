import type { Findings } from "../schemas/insights/findings.ts";

/** How sentences speak of bad runs, by what makes a run bad. */
export const BAD_RUN_WORDS: Readonly<
  Record<Findings["lens"], { runs: string; did: string; do: string; one: string; many: string }>
> = {
  failed: { runs: "failed runs", did: "failed", do: "fail", one: "failure", many: "failures" },
  error: {
    runs: "runs with an error",
    did: "had an error",
    do: "have an error",
    one: "error",
    many: "errors",
  },
  scored: {
    runs: "runs with a bad score",
    did: "had a bad score",
    do: "have a bad score",
    one: "bad score",
    many: "bad scores",
  },
};
