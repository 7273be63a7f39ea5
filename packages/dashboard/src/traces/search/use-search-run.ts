import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { SearchRun } from "./search-run.ts";

/**
 * The search that a page shows. The query cache keeps it for some minutes, so that Back from a hit returns to the same
 * results, and drops it when another user signs in. `createQuery` is called once for each new search.
 */
export function useSearchRun(key: string, createQuery: () => object) {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the query, which may contain the current time
  const run = useMemo(() => {
    const queryKey = ["search", key];
    const cached = client.getQueryData<SearchRun>(queryKey);
    if (cached) return cached;
    const created = new SearchRun(createQuery());
    client.setQueryData(queryKey, created);
    return created;
  }, [client, key]);
  useEffect(() => {
    run.resume();
    return run.pause;
  }, [run]);
  return { ...useSyncExternalStore(run.subscribe, run.getState), start: run.start, stop: run.stop };
}
