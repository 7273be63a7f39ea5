import type { DecisionPointType } from "@whytrace/contract";
import type { Outcome } from "./outcome.ts";
import { isReactionType } from "./reaction.ts";

/**
 * Whether a decision counts as failed: an error followed it, and the run failed. RETRY and ESCALATION answer an error, so
 * for them it counts whether the run failed: giving up is never followed by an error.
 */
export function isFailedOutcome(type: DecisionPointType, outcome: Outcome): boolean {
  return outcome === 3 || (outcome === 2 && isReactionType(type));
}
