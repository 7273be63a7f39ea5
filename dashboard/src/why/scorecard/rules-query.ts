import { queryOptions } from "@tanstack/react-query";
import type { DecisionRule } from "@whytrace/contract";
import { api } from "../../client/api.ts";

/** The user's decision rules, which `whytrace drift` checks. */
export const rulesQuery = queryOptions({
  queryKey: ["rules"],
  queryFn: ({ signal }) => api<{ rules: DecisionRule[] }>("/api/insights/rules", { signal }),
});
