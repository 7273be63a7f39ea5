import { useQueryClient } from "@tanstack/react-query";
import { useLiveUpdates } from "../client/live.ts";
import { useCoalescedRefetch } from "../client/use-coalesced-refetch.ts";
import { SCORES_KEY } from "../scores/scores-query.ts";

/** Counts that change more often than this are hard to read. */
const MIN_INTERVAL_MS = 5_000;

/** Refetches what the page shows of scores when a trace or one of its scores changes. */
export function useLiveScores() {
  const client = useQueryClient();
  const refetch = () => client.refetchQueries({ queryKey: [SCORES_KEY], type: "active" });
  useLiveUpdates(useCoalescedRefetch(refetch, MIN_INTERVAL_MS));
}
