import type { DecisionPointType } from "../traces/enums.ts";
import type { Outcome } from "./outcome.ts";

/**
 * Whether a decision counts as failed: an error followed it, and the run failed. RETRY and ESCALATION answer an error, so
 * for them it counts whether the run failed: giving up is never followed by an error.
 */
export function isFailedOutcome(type: DecisionPointType, outcome: Outcome): boolean {
  return outcome === 3 || (outcome === 2 && (type === "RETRY" || type === "ESCALATION"));
}

/** Whether an error followed a decision, but the run did not fail. */
export const isRecoveredOutcome = (outcome: Outcome): boolean => outcome === 1;
