import type { DecisionPointType, Status } from "../traces/enums.ts";
import type { HashId, InsightsRange, Rate } from "./rate.ts";

/**
 * same: the same option of the same options; flipped: another option of the same options; changed: other options in the same
 * place; a, b: only this run decided here.
 */
export const LINE_RELATIONS = ["same", "flipped", "changed", "a", "b"] as const;
export type LineRelation = (typeof LINE_RELATIONS)[number];

export interface ComparedDecision {
  id: string;
  type: DecisionPointType;
  signature: HashId;
  step: HashId;
  option: string;
  /** All options, the chosen one first. */
  options: string[];
  reasoning: string | null;
  /** Milliseconds since its trace started. */
  atMs: number;
}

export interface ComparedLine {
  relation: LineRelation;
  a: ComparedDecision | null;
  b: ComparedDecision | null;
  /** Null if only one run decided here or neither has a context. */
  context: ContextKeyCounts | null;
}

/** How many keys of two contexts differ, of how many. */
export interface ContextKeyCounts {
  differing: number;
  keys: number;
  /** Whether a context is too large to be compared completely. */
  isTruncated: boolean;
}

export interface ComparedContextKey {
  key: string;
  /** JSON; null if the key is absent. */
  a: string | null;
  b: string | null;
  isEqual: boolean;
  /** The run whose reasoning names this key or its value, although the value is the same in both. */
  namedIn: "a" | "b" | null;
}

export interface ComparedRun {
  id: string;
  name: string;
  status: Status;
  release: string | null;
  tags: string[];
  startedAt: string;
  durationMs: number | null;
  costUsd: number | null;
  tokens: number | null;
  spans: number;
  decisions: number;
  errors: number;
  /** The first error's message, or its name. */
  error: string | null;
}

/** What followed the two options in the time range. */
export interface DivergenceRates extends InsightsRange {
  a: Rate;
  b: Rate;
  /** What was decided before, to which the rates are limited; null: they are not limited. */
  after: { step: HashId; option: string } | null;
}

/** GET /api/insights/compare?a=…&b=… */
export interface Comparison {
  a: ComparedRun;
  b: ComparedRun;
  lines: ComparedLine[];
  /** If a run has very many decisions, only its first ones are compared. */
  isTruncated: boolean;
  /** The first line that is not the same; null if all are. */
  divergence: {
    line: number;
    /** At most 200 keys, those that differ first. */
    context: ComparedContextKey[];
    /** What followed each option elsewhere; null if the options are not the same. */
    rates: DivergenceRates | null;
  } | null;
  /** If all decisions are the same: the first line whose context differs. */
  contextDivergence: { line: number; context: ComparedContextKey[] } | null;
}

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

export interface Partner {
  kind: PartnerKind;
  traceId: string;
  name: string;
  status: Status;
  release: string | null;
  startedAt: string;
  /** How many decisions from the start on are the same. */
  sameDecisions: number;
}

/** Whether the partner is a good run, which is found by its decisions. */
export const isGoodRun = ({ kind }: Partner): boolean =>
  kind === "otherwise-well" || kind === "same-well" || kind === "release-well";

export const NO_PARTNER_REASONS = ["no-decisions", "not-read", "no-other-run", "no-such-choice"] as const;
/**
 * no-decisions: the run decided nothing; not-read: its decisions, from before an update, have not been read yet;
 * no-other-run: no other run of the agent was completed; no-such-choice: no completed run chose the option asked for at a
 * point where this run decided otherwise.
 */
export type NoPartnerReason = (typeof NO_PARTNER_REASONS)[number];

/** GET /api/insights/partners/:traceId: runs to compare with, the most similar first. */
export interface PartnerList {
  /** The name of the agent, with changing parts masked. */
  agent: string;
  partners: Partner[];
  /** Why no completed run was found; null if one was. */
  reason: NoPartnerReason | null;
}
