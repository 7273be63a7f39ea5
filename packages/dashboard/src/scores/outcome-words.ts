import type { OutcomeReason, RunOutcome, RunOutcomeName, Score } from "@whytrace/contract";
import { scoreText } from "./score-words.ts";

export const OUTCOME_LABELS: Readonly<Record<RunOutcomeName, string>> = {
  good: "Good",
  bad: "Bad",
  unknown: "Unknown",
  open: "Open",
};

/** Two conditions can look at one score: it is one reason. */
export function distinctReasons({ reasons }: RunOutcome): OutcomeReason[] {
  const seen = new Set<string>();
  return reasons.filter(({ scoreId, text, place }) => {
    const key = scoreId ?? JSON.stringify([text, place]);
    return !seen.has(key) && seen.add(key);
  });
}

/** `helpful false`, or what else was found: `ended in ERROR`. */
export function reasonWords({ scoreId, text }: OutcomeReason, scores: readonly Score[] = []): string {
  const score = scoreId === null ? undefined : scores.find(({ id }) => id === scoreId);
  if (score) return scoreText(score);
  const words = text.replace(/^The run /, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** `Bad: helpful false and 2 more`. */
export function outcomeWords(outcome: RunOutcome, scores: readonly Score[] | undefined): string {
  const label = OUTCOME_LABELS[outcome.outcome];
  if (outcome.outcome === "unknown" && outcome.missing.length > 0)
    return `${label}: ${outcome.missing.join(", ")} ${outcome.missing.length === 1 ? "is" : "are"} missing`;
  const [first, ...more] = distinctReasons(outcome);
  if (outcome.outcome !== "bad" || !first) return label;
  return `${label}: ${reasonWords(first, scores)}${more.length > 0 ? ` and ${more.length} more` : ""}`;
}
