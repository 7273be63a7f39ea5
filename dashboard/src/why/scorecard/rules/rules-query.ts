import { queryOptions } from "@tanstack/react-query";
import type { DecisionRuleList } from "@whytrace/contract";
import { api } from "../../../client/api.ts";

/** The user's decision rules, which `whytrace drift` checks. */
export const rulesQuery = queryOptions({
  queryKey: ["rules"],
  queryFn: ({ signal }) => api<DecisionRuleList>("/api/insights/rules", { signal }),
});
