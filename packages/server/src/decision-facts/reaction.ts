import type { DecisionPointType } from "@whytrace/contract";

/** Whether decisions of this type answer an error: an error of the same millisecond came before them. It came after all others. */
export const isReactionType = (type: DecisionPointType): boolean => type === "RETRY" || type === "ESCALATION";
