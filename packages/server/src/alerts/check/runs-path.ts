import type { RuleCondition } from "../rules/rule-condition.ts";
import { toDate } from "./read-past.ts";
import type { TimeWindow } from "./rule-window.ts";

/** What besides the window a run needs to be counted. Kinds that are not checked on a window count all. */
function countedBy({ kind, score }: RuleCondition): Record<string, string> {
  switch (kind) {
    case "failure_rate":
      return { ended: "known" };
    case "score_mean":
      return { ended: "any", ...(score != null && { scoreName: score }) };
    case "cost_per_run":
    case "cost_per_day":
      return { ended: "any", costFrom: "0" };
    case "duration_p95":
      return { ended: "any", durationFrom: "0" };
    default:
      return {};
  }
}

/** The page, in the workspace, that lists exactly the runs that a rule counted in a window. */
export function runsPath(rule: RuleCondition, { fromMs, toMs }: TimeWindow): string {
  const query = new URLSearchParams({
    ...(rule.agent !== null && { agent: rule.agent, decided: "any" }),
    startedFrom: toDate(fromMs),
    startedTo: toDate(toMs),
    ...countedBy(rule),
  });
  return `/traces?${query}`;
}
