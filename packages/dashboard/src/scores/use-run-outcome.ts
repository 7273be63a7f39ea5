import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { SCORES_KEY, traceScoresQuery } from "./scores-query.ts";

/** Its key begins as the one of the trace's scores: both are fetched again together. */
const runOutcomeQuery = (traceId: string) =>
  queryOptions({
    queryKey: [SCORES_KEY, traceId, "outcome"],
    queryFn: ({ signal }) => api("GET /api/traces/:id/outcome", { params: { id: traceId }, signal }),
  });

/** How a run is judged, and the scores that say so; undefined while they load, or if they are not for the reader. */
export function useRunOutcome(traceId: string, isEnabled: boolean) {
  const outcome = useQuery({ ...runOutcomeQuery(traceId), enabled: isEnabled }).data;
  const scores = useQuery({ ...traceScoresQuery(traceId), enabled: isEnabled }).data;
  return { outcome, scores };
}
