import type { CountChanges } from "../counts/count-changes.ts";
import type { EncodedManifest } from "../rows/trace-manifest.ts";

/** What is left to write when the rows of whole traces are encoded. */
export interface EncodedTraces {
  counts: CountChanges;
  /** The new manifests of running traces, by trace id. */
  manifests: ReadonlyMap<string, EncodedManifest>;
}
