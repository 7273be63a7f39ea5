import type { BlameDecision } from "./trace-errors.ts";

export const isReaction = (type: string) => type === "RETRY" || type === "ESCALATION";

/** The decisions that may have caused an error, in the order in which they are given. */
export function decisionsBefore<Decision extends Pick<BlameDecision<unknown>, "type" | "timestamp">>(
  decisions: readonly Decision[],
  { at }: { at: number },
): Decision[] {
  // In the same millisecond, an error comes before the reaction to it and after any other decision.
  return decisions.filter(({ type, timestamp }) => (isReaction(type) ? timestamp < at : timestamp <= at));
}
