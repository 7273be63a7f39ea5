import type { NoPartnerReason, Partner, PartnerKind } from "@whytrace/contract";

export const PARTNER_KIND_WORDS: Record<PartnerKind, string> = {
  "otherwise-well": "Chose otherwise and succeeded",
  "same-well": "Same choices, still succeeded",
  "release-well": "Succeeded in an earlier release",
  "same-error": "Failed with the same error",
  session: "This session",
};

/** `same first 7 decisions`. */
export function likeness({ kind, sameDecisions }: Partner): string {
  if (kind === "session") return "another run of the session";
  if (sameDecisions === 0) return "other decisions from the start";
  return sameDecisions === 1 ? "same first decision" : `same first ${sameDecisions} decisions`;
}

export const NO_PARTNER_WORDS: Record<NoPartnerReason, string> = {
  "no-decisions":
    "This run recorded no decisions, so there is nothing to find a similar run by. You can compare it with a run that you pick.",
  "not-read":
    "The decisions of this run are from before an update and are still being read. Try again in a few minutes, or pick a run.",
  "no-other-run": "No other run of this agent was completed. When one is, it can be compared with this one.",
  "no-such-choice": "No completed run with the same decisions before chose that option instead.",
};
