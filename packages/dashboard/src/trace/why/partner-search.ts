import type { Blame } from "@whytrace/contract";

/** The search parameters that compare a run with the one that went well and chose otherwise at the first suspect. */
export function partnerSearch(traceId: string, blame: Blame | undefined) {
  const partner = blame?.partner;
  if (!partner) return { a: traceId };
  // The partner differs at the first suspect that has a decision.
  const suspect = blame.suspects.find(({ decisionPointId }) => decisionPointId !== null);
  return {
    a: traceId,
    b: partner.traceId,
    ...(suspect?.decisionPointId != null && { at: suspect.decisionPointId }),
  };
}
