import { useQuery } from "@tanstack/react-query";
import type { SearchHit } from "@whytrace/contract";
import { useContext, useMemo } from "react";
import { ApiError, queryString } from "../client/api.ts";
import { useTraceUpdated } from "../client/live.ts";
import { MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH, readSearch } from "../client/read-search.ts";
import { useCoalescedRefetch } from "../client/use-coalesced-refetch.ts";
import { useDebounced } from "../ui/hooks/use-debounced.ts";
import { groupHits, NO_HITS } from "./model/trace-hits.ts";
import type { TraceTree } from "./model/trace-tree.ts";
import { ShareContext } from "./payload/share-context.ts";

const DEBOUNCE_MS = 300;
const MIN_REFETCH_INTERVAL_MS = 2_000;
const MAX_HITS = 1_000;

/** Searches the trace's payloads on the server: the page has only the outline. Only for the owner. */
export function useTraceHits(tree: TraceTree, text: string) {
  const traceId = tree.outline.id;
  const settledText = useDebounced(text, DEBOUNCE_MS);
  const isShared = useContext(ShareContext) !== null;
  const isEnabled =
    !isShared && settledText.length >= MIN_SEARCH_LENGTH && settledText.length <= MAX_SEARCH_LENGTH;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["trace", traceId, "hits", settledText],
    queryFn: ({ signal }) => searchTrace(traceId, settledText, signal),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const refetchHits = useCoalescedRefetch(refetch, MIN_REFETCH_INTERVAL_MS);
  useTraceUpdated(traceId, () => isEnabled && refetchHits());
  const isSettled = text === settledText;
  const hits = useMemo(
    () => (data && isSettled ? groupHits(tree, data.hits) : NO_HITS),
    [tree, data, isSettled],
  );
  return {
    hits,
    isSearching: isSettled ? isFetching && !data : !isShared && text.length >= MIN_SEARCH_LENGTH,
    /** There are more hits than the server returns. */
    isTruncated: isSettled && data?.isTruncated === true,
    error: isSettled && isEnabled ? error : null,
    retry: () => void refetch(),
  };
}

async function searchTrace(traceId: string, q: string, signal: AbortSignal) {
  const hits: SearchHit[] = [];
  let isTruncated = false;
  for await (const lines of readSearch(queryString({ q, traceId, limit: MAX_HITS }), signal))
    for (const line of lines) {
      if (line.kind === "hit") hits.push(line);
      if (line.kind === "end") isTruncated = line.cursor !== null;
    }
  // Another search of the same user has ended this one: the query tries again.
  if (isTruncated && hits.length < MAX_HITS) throw new ApiError(0, "Another search ended this one.");
  return { hits, isTruncated: isTruncated || hits.some(({ moreInTrace }) => moreInTrace) };
}
