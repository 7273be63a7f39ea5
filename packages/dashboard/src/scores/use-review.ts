import { useQuery } from "@tanstack/react-query";
import { useUser } from "../client/session.ts";
import { isReview } from "./save-review.ts";
import { traceScoresQuery } from "./scores-query.ts";
import { useGivenReviews, useSaveReview } from "./use-save-review.ts";

/** The signed-in member's review of a run. */
export function useReview(traceId: string) {
  const { id: userId } = useUser();
  const { data: scores } = useQuery(traceScoresQuery(traceId));
  const stored = scores?.find((score) => isReview(score) && score.author === userId);
  const storedValue = stored ? stored.value === true : null;
  const last = useGivenReviews().findLast((given) => given.traceId === traceId);
  const save = useSaveReview();
  // It may have been changed in another window since.
  const isLast = last?.status === "saved" && last.value === storedValue && last.before !== last.value;
  return {
    /** While it is being saved, it counts as given. */
    value: last?.status === "pending" ? last.value : storedValue,
    isSaving: last?.status === "pending",
    error: last?.status === "failed" ? last.error : null,
    givenAt: stored?.timestamp,
    save: (value: boolean | null) => save({ traceId, value }),
    /** Restores what was there before the last change; undefined if nothing was changed on this visit. */
    undo: isLast ? () => save({ traceId, value: last.before ?? null }) : undefined,
  };
}
