import type { AlertRule, RuleFields, RuleKind, Sensitivity, Severity } from "../model/alert-types.ts";

/** A rule while it is edited: what is typed is text. */
export interface RuleDraft {
  kind: RuleKind;
  name: string;
  agent: string;
  isComparedWithPast: boolean;
  /** In the unit that is shown: per cent, dollars, seconds, or the score's own. */
  limit: string;
  score: string;
  windowMinutes: number;
  forMinutes: number;
  sensitivity: Sensitivity;
  renotifyHours: number | null;
  channels: string[] | null;
  mail: boolean;
  severity: Severity;
}

export const WINDOWED: readonly RuleKind[] = ["failure_rate", "score_mean", "cost_per_run", "duration_p95"];
/** Kinds that compare a figure with a limit that a person gives. */
const LIMITED: readonly RuleKind[] = ["score_mean", "cost_per_run", "cost_per_day", "duration_p95"];
/** By how much the shown unit differs from the API's: rates are shares, durations milliseconds. */
const FACTORS: Partial<Record<RuleKind, number>> = { failure_rate: 0.01, duration_p95: 1_000 };

export const hasLimit = ({ kind, isComparedWithPast }: RuleDraft) =>
  LIMITED.includes(kind) || (kind === "failure_rate" && !isComparedWithPast);

export function toDraft(rule: AlertRule | undefined, firstAgent: string): RuleDraft {
  const kind = rule?.kind ?? "failure_rate";
  const limit = rule?.above ?? rule?.below ?? null;
  return {
    kind,
    name: rule?.name ?? "",
    agent: rule ? (rule.agent ?? "") : firstAgent,
    isComparedWithPast: rule ? rule.comparedWith === "past" : true,
    // Rounds what binary fractions add: 0.07 / 0.01 is 7.000000000000001.
    limit: limit === null ? "" : String(Number((limit / (FACTORS[kind] ?? 1)).toPrecision(12))),
    score: rule?.score ?? "",
    windowMinutes: rule?.windowMinutes ?? 60,
    forMinutes: rule?.forMinutes ?? 10,
    sensitivity: rule?.sensitivity ?? "normal",
    renotifyHours: rule?.renotifyHours ?? null,
    channels: rule?.channels ?? null,
    mail: rule?.mail ?? true,
    severity: rule?.severity ?? "error",
  };
}

/** The fields that the API takes for this kind of rule. */
export function toFields(draft: RuleDraft): RuleFields {
  const { kind, agent, score, windowMinutes, forMinutes, sensitivity, isComparedWithPast } = draft;
  const limit =
    hasLimit(draft) && draft.limit !== "" ? Number(draft.limit) * (FACTORS[kind] ?? 1) : undefined;
  return {
    kind,
    name: draft.name.trim() || defaultName(draft),
    ...(agent !== "" && { agent }),
    ...(WINDOWED.includes(kind) && { windowMinutes }),
    forMinutes,
    ...(kind === "failure_rate" && isComparedWithPast && { comparedWith: "past" as const, sensitivity }),
    ...(kind === "score_mean" && { score, below: limit }),
    ...(kind !== "score_mean" && limit !== undefined && { above: limit }),
    renotifyHours: draft.renotifyHours,
    ...(draft.channels !== null && { channels: draft.channels }),
    mail: draft.mail,
    severity: draft.severity,
  };
}

const NAMES: Record<RuleKind, (agent: string) => string> = {
  failure_rate: (agent) => `${agent} fails more than usual`,
  score_mean: (agent) => `Low scores of ${agent}`,
  cost_per_run: (agent) => `Expensive runs of ${agent}`,
  cost_per_day: () => "Budget of a day",
  duration_p95: (agent) => `Slow runs of ${agent}`,
  drift: (agent) => `Choices of ${agent} changed`,
  decision_rule: (agent) => `${agent} breaks a decision rule`,
  no_runs: (agent) => `${agent} stands still`,
};

export const defaultName = ({ kind, agent }: RuleDraft) => NAMES[kind](agent || "All agents").slice(0, 100);

/** Whether enough is filled in for a preview. */
export const isComplete = (draft: RuleDraft) =>
  (draft.agent !== "" || draft.kind === "cost_per_day") &&
  (!hasLimit(draft) || (draft.limit !== "" && Number.isFinite(Number(draft.limit)))) &&
  (draft.kind !== "score_mean" || draft.score !== "");
