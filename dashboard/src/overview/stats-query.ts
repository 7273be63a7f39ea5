import { queryOptions } from "@tanstack/react-query";
import type { ErrorStats, ModelStats, TraceStats } from "@whytrace/contract";
import { api, queryString } from "../client/api.ts";
import type { RangeName } from "../client/time-ranges.ts";
import { countedFrom } from "../why/insights-query.ts";

interface Stats {
  traces: TraceStats;
  errors: ErrorStats;
  models: ModelStats;
}

/** Statistics of a time range that ends at the time of the request, and begins as that of Why. */
export const statsQuery = <Kind extends keyof Stats>(kind: Kind, range: RangeName) =>
  queryOptions({
    queryKey: ["stats", kind, range],
    queryFn: ({ signal }) => {
      const from = countedFrom(range);
      return api<Stats[Kind]>(`/api/stats/${kind}${queryString({ from })}`, { signal });
    },
    staleTime: 10_000,
    refetchInterval: 60_000,
  });
