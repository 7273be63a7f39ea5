import {
  type MutationState,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { GivenVerdict } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { INSIGHTS_KEY } from "../client/insights-key.ts";
import { traceVerdictsQuery } from "./verdicts-query.ts";

type Judgement = Pick<GivenVerdict, "verdict" | "shouldHaveBeen" | "note">;

export interface JudgedDecision {
  traceId: string;
  decisionPointId: string;
  suspectRank?: number | undefined;
}

/** What the user said about a decision, and a function that saves something else, or takes it back with null. */
export function useVerdict({ traceId, decisionPointId, suspectRank }: JudgedDecision) {
  const client = useQueryClient();
  const query = useQuery(traceVerdictsQuery(traceId));
  const saved = query.data?.verdicts.find((one) => one.decisionPointId === decisionPointId) ?? null;
  const mutationKey = ["verdict", traceId, decisionPointId];
  const save = useMutation({
    mutationKey,
    // One after the other, so that the last one stands.
    scope: { id: "verdict" },
    mutationFn: (judgement: Judgement | null): Promise<unknown> =>
      judgement === null
        ? api("DELETE /api/insights/verdicts/:traceId/:decisionPointId", {
            params: { traceId, decisionPointId },
          })
        : api("PUT /api/insights/verdicts", {
            body: { traceId, decisionPointId, suspectRank, ...judgement } satisfies GivenVerdict,
          }),
    onSettled: () => client.invalidateQueries({ queryKey: [INSIGHTS_KEY] }),
  });
  // Buttons and keys save the same verdict, and both show it.
  const last = useMutationState<MutationState<unknown, Error, Judgement | null>>({
    filters: { mutationKey },
  }).at(-1);
  const isPending = last?.status === "pending";
  return {
    // While it is being saved, it counts as given.
    given: isPending ? (last.variables ?? null) : saved,
    savedAt: isPending ? undefined : saved?.createdAt,
    /** Null if a key gave it, or if the account is deleted. */
    savedBy: saved?.createdBy ?? null,
    isLoading: query.isPending,
    error: (last?.status === "error" ? last.error : null) ?? query.error,
    save: save.mutate,
  };
}
