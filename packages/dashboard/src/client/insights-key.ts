/** Keys of all queries of insights start with this, so that a change of traces or verdicts can refetch them together. */
export const INSIGHTS_KEY = "insights";
