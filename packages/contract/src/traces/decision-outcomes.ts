/** What followed a decision: the words that insights use. fine is neither failed nor recovered; open: the trace is running. */
export const DECISION_OUTCOMES = ["failed", "recovered", "fine", "open"] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];
