import { useQueryClient } from "@tanstack/react-query";
import { INSIGHTS_KEY } from "../client/insights-key.ts";
import { useLiveUpdates } from "../client/live.ts";
import { useCoalescedRefetch } from "../client/use-coalesced-refetch.ts";

/** Agents may send many traces a second; counts that change more often than this are hard to read. */
const MIN_INTERVAL_MS = 5_000;

/** Refetches what a page shows of insights when traces change, except what has an interval of its own. */
export function useLiveInsights() {
  const client = useQueryClient();
  useLiveUpdates(
    useCoalescedRefetch(
      () =>
        client.refetchQueries({
          queryKey: [INSIGHTS_KEY],
          type: "active",
          predicate: ({ meta }) => meta?.isLive !== false,
        }),
      MIN_INTERVAL_MS,
    ),
  );
}
