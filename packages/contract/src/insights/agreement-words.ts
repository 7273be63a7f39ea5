import type { JudgeAgreement } from "../schemas/insights/judges.ts";
import { MIN_REVIEWED_RUNS } from "./rate.ts";

const DECIDES = 0.6;
const RANKS = 0.4;

/** Whether a judge can be trusted, in the words that all pages and commands use. */
export function agreementWords({
  reviewed,
  kappa,
  byLabel,
}: Pick<JudgeAgreement, "reviewed" | "kappa" | "byLabel">): string {
  if (reviewed < MIN_REVIEWED_RUNS) {
    const more = MIN_REVIEWED_RUNS - reviewed;
    return `Review ${more} more ${more === 1 ? "run" : "runs"} to know.`;
  }
  if (kappa === null) {
    const labels = byLabel.filter((one) => one.reviewed === 0).map(({ label }) => label);
    return labels.length === 0
      ? "All runs have the same label, so nothing can be told."
      : `Review runs that it calls ${labels.join(", ")} to know.`;
  }
  if (kappa.low >= DECIDES) return "Agrees with people.";
  if (kappa.low >= RANKS) return "Good enough to rank, not to decide.";
  return "Do not rely on it: it agrees hardly more than chance would.";
}
