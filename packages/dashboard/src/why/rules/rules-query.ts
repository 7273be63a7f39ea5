import { queryOptions } from "@tanstack/react-query";
import { api } from "../../client/api.ts";
import { countedFrom } from "../insights-query.ts";

const CHECKED_RANGE = "7d";

/** The workspace's decision rules, which `whytrace drift` checks. */
export const rulesQuery = queryOptions({
  queryKey: ["rules"],
  queryFn: ({ signal }) => api("GET /api/insights/rules", { signal }),
});

/** Whether the rules hold in the runs of the last week. */
export const ruleResultsQuery = queryOptions({
  queryKey: [...rulesQuery.queryKey, "results"],
  queryFn: ({ signal }) =>
    api("GET /api/insights/drift", { query: { from: countedFrom(CHECKED_RANGE) }, signal }),
  select: ({ rules }) => new Map(rules.map((result) => [result.rule.id, result])),
});
