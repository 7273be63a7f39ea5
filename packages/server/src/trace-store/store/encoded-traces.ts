import type { CountChanges } from "../counts/count-changes.ts";
import type { RunChange } from "../problems/run-problems.ts";
import type { EncodedManifest } from "../rows/trace-manifest.ts";
import type { CarriedByTrace } from "../scores/replace-carried-scores.ts";

/** What is left to write when the rows of whole traces are encoded. */
export interface EncodedTraces {
  counts: CountChanges;
  /** The new manifests of running traces, by trace id. */
  manifests: ReadonlyMap<string, EncodedManifest>;
  /** The runs that are or were bad, and those of a release. */
  runs: RunChange[];
}

/** The rows of whole traces, and the scores that the traces carry. */
export interface EncodedBatch extends EncodedTraces {
  scores: CarriedByTrace;
}
