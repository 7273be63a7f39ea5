import type { NoPartnerReason } from "../schemas/insights/comparison.ts";

/** Why a run is compared with no run that went well. */
export const NO_PARTNER: Readonly<Record<NoPartnerReason, string>> = {
  "no-decisions": "The run decided nothing, so there is nothing to compare it by.",
  "not-read": "The decisions of this run have not been read yet, so it was compared with no other.",
  "no-other-run": "No other run of this agent decided something and completed, so it was compared with none.",
  "no-such-choice": "No completed run was found that chose it.",
};
