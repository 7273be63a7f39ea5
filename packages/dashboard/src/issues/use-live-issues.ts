import { useQueryClient } from "@tanstack/react-query";
import { ISSUES_KEY } from "../client/issue-counts-query.ts";
import { useIssuesChanged, useLiveUpdates } from "../client/live.ts";
import { useCoalescedRefetch } from "../client/use-coalesced-refetch.ts";

/** Counts that change more often are hard to read. */
const MIN_INTERVAL_MS = 2_000;

/** Refetches the issues that the page shows when one of them, or a trace, changes. */
export function useLiveIssues() {
  const client = useQueryClient();
  const refetch = useCoalescedRefetch(
    () => client.refetchQueries({ queryKey: [ISSUES_KEY], type: "active" }),
    MIN_INTERVAL_MS,
  );
  useIssuesChanged(refetch);
  useLiveUpdates(refetch);
}
