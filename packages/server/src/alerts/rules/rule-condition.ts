import type { AlertRule } from "@whytrace/contract/schemas/alerts/rules";

/** What a rule says, without its state. */
export type RuleCondition = Pick<
  AlertRule,
  | "kind"
  | "name"
  | "agent"
  | "windowMinutes"
  | "forMinutes"
  | "comparedWith"
  | "above"
  | "below"
  | "score"
  | "sensitivity"
  | "renotifyHours"
  | "channels"
  | "mail"
  | "severity"
>;

/** What the value of a rule is measured in. */
export const UNITS: Readonly<Record<RuleCondition["kind"], string | null>> = {
  failure_rate: "share",
  score_mean: null,
  cost_per_run: "usd",
  cost_per_day: "usd",
  duration_p95: "ms",
  drift: "decisions",
  decision_rule: "rules",
  no_runs: "minutes",
};
