import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { GivenVerdict } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { INSIGHTS_KEY } from "../client/insights-key.ts";
import { traceVerdictsQuery } from "./verdicts-query.ts";

type Judgement = Pick<GivenVerdict, "verdict" | "shouldHaveBeen" | "note">;

interface JudgedDecision {
  traceId: string;
  decisionPointId: string;
  suspectRank?: number | undefined;
}

/** What the user said about a decision, and a function that saves something else, or takes it back with null. */
export function useVerdict({ traceId, decisionPointId, suspectRank }: JudgedDecision) {
  const client = useQueryClient();
  const query = useQuery(traceVerdictsQuery(traceId));
  const saved = query.data?.verdicts.find((one) => one.decisionPointId === decisionPointId) ?? null;
  const save = useMutation({
    mutationFn: (judgement: Judgement | null) =>
      judgement === null
        ? api(
            `/api/insights/verdicts/${encodeURIComponent(traceId)}/${encodeURIComponent(decisionPointId)}`,
            {
              method: "DELETE",
            },
          )
        : api("/api/insights/verdicts", {
            method: "PUT",
            body: { traceId, decisionPointId, suspectRank, ...judgement } satisfies GivenVerdict,
          }),
    onSettled: () => client.invalidateQueries({ queryKey: [INSIGHTS_KEY] }),
  });
  return {
    // While it is being saved, it counts as given.
    given: save.isPending ? save.variables : saved,
    savedAt: save.isPending ? undefined : saved?.createdAt,
    isLoading: query.isPending,
    error: save.error ?? query.error,
    save: save.mutate,
  };
}
