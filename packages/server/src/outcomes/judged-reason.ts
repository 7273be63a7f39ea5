import type { OutcomeReason } from "@whytrace/contract/schemas/outcomes";

/** Why a run is bad, and what is the same for runs that are bad for the same reason. */
export interface JudgedReason extends OutcomeReason {
  /** Null for the status: the errors of the run have fingerprints of their own. */
  fingerprint: number | null;
}
