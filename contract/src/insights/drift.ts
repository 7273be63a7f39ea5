import type { DecisionPointType } from "../traces/enums.ts";
import type { HashId, InsightsProgress } from "./rate.ts";

/** One side of a comparison over time: a time range, or a release or tag within one. */
export interface DriftSide {
  from: string;
  to: string;
  release: string | null;
  tag: string | null;
  runs: number;
  decisions: number;
}

export interface DriftRow {
  signature: HashId;
  agent: string;
  type: DecisionPointType;
  options: { step: HashId; name: string; base: number; current: number }[];
  baseDecisions: number;
  currentDecisions: number;
  /** Half the sum of the differences of the shares, 0 to 1. */
  distance: number;
  /** The probability of such a difference by chance, adjusted for all rows; null if either side has fewer than 20 decisions. */
  p: number | null;
  isDrifting: boolean;
}

export const RULE_KINDS = ["never", "share"] as const;
export const MAX_DECISION_RULES_PER_USER = 100;
export const MAX_RULE_NOTE_LENGTH = 500;

/**
 * A decision contract: "never" forbids an option; "share" keeps the share of an option between two numbers.
 */
export interface DecisionRule {
  id: string;
  agent: string;
  signature: HashId;
  type: DecisionPointType;
  step: HashId;
  option: string;
  kind: (typeof RULE_KINDS)[number];
  minShare: number | null;
  maxShare: number | null;
  note: string | null;
  createdAt: string;
}

export interface RuleResult {
  rule: DecisionRule;
  isKept: boolean;
  /** How often the decision was made, and how often the option of the rule was chosen. */
  decisions: number;
  chosen: number;
  /** A trace that breaks the rule. */
  traceId: string | null;
}

/** GET /api/insights/drift */
export interface DriftReport {
  base: DriftSide;
  current: DriftSide;
  /** Those that drift come first, then by `p`. */
  rows: DriftRow[];
  rules: RuleResult[];
  /** Absent if all decisions of both sides are counted. */
  progress?: InsightsProgress;
  /** Whether something drifts or a rule is broken: `whytrace drift --fail` exits with 1. */
  isFailed: boolean;
}
