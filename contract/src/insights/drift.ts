import type { DecisionPointType } from "../traces/enums.ts";
import type { HashId } from "./rate.ts";

/** One side of a comparison over time: a time range, or a release or tag within one. */
export interface DriftSide {
  from: string;
  to: string;
  release: string | null;
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
  /** Null if there are fewer than 20 on either side. */
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
  decisions: number;
  chosen: number;
  /** A trace that breaks the rule. */
  traceId: string | null;
}

/** GET /api/insights/drift */
export interface DriftReport {
  base: DriftSide;
  current: DriftSide;
  rows: DriftRow[];
  rules: RuleResult[];
  /** Whether something drifts or a rule is broken: `whytrace drift --fail` exits with 1. */
  isFailed: boolean;
}
