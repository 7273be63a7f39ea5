import type { RuleCondition } from "../rules/rule-condition.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Runs that started from the first to before the second moment, in milliseconds. */
export interface TimeWindow {
  fromMs: number;
  toMs: number;
}

/**
 * The runs that a rule looks at. The window ends `lagMinutes` ago: without this, runs that fail fast would be counted before runs that
 * succeed slowly, and every busy minute would look like an outage.
 */
export function ruleWindow(
  { kind, windowMinutes }: Pick<RuleCondition, "kind" | "windowMinutes">,
  { nowMs, lagMinutes }: { nowMs: number; lagMinutes: number },
): TimeWindow {
  if (kind === "cost_per_day") return { fromMs: Math.floor(nowMs / DAY_MS) * DAY_MS, toMs: nowMs };
  const toMs = nowMs - lagMinutes * MINUTE_MS;
  return { fromMs: toMs - windowMinutes * MINUTE_MS, toMs };
}
