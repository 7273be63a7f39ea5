import { queryOptions } from "@tanstack/react-query";
import type { DecisionRuleList, DriftReport } from "@whytrace/contract";
import { api, queryString } from "../../client/api.ts";
import { countedFrom } from "../insights-query.ts";

const CHECKED_RANGE = "7d";

/** The workspace's decision rules, which `whytrace drift` checks. */
export const rulesQuery = queryOptions({
  queryKey: ["rules"],
  queryFn: ({ signal }) => api<DecisionRuleList>("/api/insights/rules", { signal }),
});

/** Whether the rules hold in the runs of the last week. */
export const ruleResultsQuery = queryOptions({
  queryKey: [...rulesQuery.queryKey, "results"],
  queryFn: ({ signal }) =>
    api<DriftReport>(`/api/insights/drift${queryString({ from: countedFrom(CHECKED_RANGE) })}`, { signal }),
  select: ({ rules }) => new Map(rules.map((result) => [result.rule.id, result])),
});
