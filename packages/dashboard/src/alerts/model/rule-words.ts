import { formatCost, formatDuration } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import type { AlertRule, RuleFields, RuleKind } from "./alert-types.ts";

export const KIND_WORDS: Record<RuleKind, string> = {
  failure_rate: "Runs are bad more often",
  score_mean: "A score is low",
  cost_per_run: "Runs are expensive",
  cost_per_day: "The budget of a day is used up",
  duration_p95: "Runs are slow",
  drift: "Choices changed with a release",
  decision_rule: "A decision rule is broken",
  no_runs: "An agent stands still",
};

/** `45 min`, `2 h`, `1 day`. */
export function minutesWords(minutes: number): string {
  if (minutes % 1_440 === 0) return minutes === 1_440 ? "24 h" : `${minutes / 1_440} days`;
  // Minutes of a time of many hours do not matter.
  return minutes % 60 === 0 || minutes > 600 ? `${Math.round(minutes / 60)} h` : `${minutes} min`;
}

/** A figure of a rule, in its unit. */
export function ruleValue(kind: RuleKind, value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  switch (kind) {
    case "failure_rate":
      return formatPercent(value);
    case "cost_per_run":
    case "cost_per_day":
      return formatCost(value);
    case "duration_p95":
      return formatDuration(value);
    case "no_runs":
      return minutesWords(Math.round(value));
    default:
      return value.toLocaleString("en", { maximumSignificantDigits: 3 });
  }
}

/** `support-agent · failure rate · 24 h against 14 days`. */
export function ruleLine({
  kind,
  agent,
  windowMinutes,
  forMinutes,
  comparedWith,
  score,
}: RuleFields): string {
  const window = minutesWords(windowMinutes ?? 60);
  const what: Record<RuleKind, string> = {
    failure_rate:
      comparedWith === "past" ? `failure rate · ${window} against 14 days` : `failure rate · ${window}`,
    score_mean: `mean of ${score ?? "a score"} · ${window}`,
    cost_per_run: `cost of a run · ${window}`,
    cost_per_day: "cost since midnight UTC",
    duration_p95: `p95 of the duration · ${window}`,
    drift: "newest release against the one before",
    decision_rule: "newest release",
    no_runs: `no run for ${minutesWords(forMinutes ?? 10)}`,
  };
  return `${agent ?? "all agents"} · ${what[kind]}`;
}

/** What the value is compared with, in its unit; undefined if it is not compared with a fixed one. */
export const ruleLimit = ({ kind, above, below }: RuleFields): string | undefined =>
  (above ?? below ?? null) === null ? undefined : ruleValue(kind, above ?? below);

export const STATE_WORDS: Record<AlertRule["state"], string> = {
  ok: "OK",
  firing: "Firing",
  no_data: "No data",
};
