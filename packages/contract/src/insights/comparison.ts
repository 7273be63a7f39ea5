/**
 * same: the same option of the same options; flipped: another option of the same options; changed: other options in the same
 * place; a, b: only this run decided here.
 */
export const LINE_RELATIONS = ["same", "flipped", "changed", "a", "b"] as const;
export type LineRelation = (typeof LINE_RELATIONS)[number];

/** A larger context is not compared. */
export const MAX_CONTEXT_KIB = 64;
/** The first values of a context, at most these many, are compared. */
export const MAX_CONTEXT_VALUES = 2_000;
/** The contexts of a run are compared until they add up to this size. */
export const MAX_CONTEXTS_MIB = 2;

export const PARTNER_KINDS = [
  "otherwise-well",
  "same-well",
  "release-well",
  "same-error",
  "session",
] as const;
/**
 * otherwise-well: it chose otherwise and went well; same-well: it decided the same and went well, so decisions do not
 * explain the difference; release-well: it went well, earlier and in another release; same-error: it failed with the same
 * error; session: it belongs to the same session of the agent.
 */
export type PartnerKind = (typeof PARTNER_KINDS)[number];

/** Whether the partner is a good run, which is found by its decisions. */
export const isGoodRun = ({ kind }: { kind: PartnerKind }): boolean =>
  kind === "otherwise-well" || kind === "same-well" || kind === "release-well";
