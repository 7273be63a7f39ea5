import type { CountedRun } from "../runs/counted-run.ts";

/** A bad run, as it is fitted. */
export interface Hit {
  run: CountedRun;
  /** Its causes by cell: which, how many of each, and the share that each one has. */
  cells: Int32Array;
  counts: Float64Array;
  shares: Float64Array;
  ambient: number;
}
