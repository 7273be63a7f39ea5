import type { BlameDecision, TraceError } from "./trace-errors.ts";

export const isReaction = (type: string) => type === "RETRY" || type === "ESCALATION";

/** The decisions that may have caused an error, the nearest first. Decisions are given in the order in which they are walked. */
export function decisionsBefore<Decision extends BlameDecision>(
  decisions: readonly Decision[],
  { at }: TraceError,
): Decision[] {
  return decisions
    .map((decision, order) => ({ decision, order }))
    .filter(({ decision: { type, timestamp } }) =>
      // In the same millisecond, an error comes before the reaction to it and after any other decision.
      isReaction(type) ? timestamp < at : timestamp <= at,
    )
    .sort((a, b) => b.decision.timestamp - a.decision.timestamp || b.order - a.order)
    .map(({ decision }) => decision);
}
