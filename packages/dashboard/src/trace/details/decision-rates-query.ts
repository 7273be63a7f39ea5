import { queryOptions } from "@tanstack/react-query";
import { api } from "../../client/api.ts";
import { INSIGHTS_KEY } from "../../client/insights-key.ts";

/** What followed each option of a decision in other runs. */
export const decisionRatesQuery = (traceId: string, decisionPointId: string) =>
  queryOptions({
    queryKey: [INSIGHTS_KEY, "decision-points", traceId, decisionPointId],
    queryFn: ({ signal }) =>
      api("GET /api/insights/decision-points/:traceId/:decisionPointId", {
        params: { traceId, decisionPointId },
        signal,
      }),
    staleTime: 10_000,
  });
