import { queryOptions } from "@tanstack/react-query";
import type { ErrorStats, ModelStats, TraceStats } from "@whytrace/contract";
import { api, queryString } from "../client/api.ts";
import { RANGES, type RangeName } from "../client/time-ranges.ts";

interface Stats {
  traces: TraceStats;
  errors: ErrorStats;
  models: ModelStats;
}

/** Statistics of a time range that ends at the time of the request. */
export const statsQuery = <Kind extends keyof Stats>(kind: Kind, range: RangeName) =>
  queryOptions({
    queryKey: ["stats", kind, range],
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - RANGES[range].lengthMs).toISOString();
      return api<Stats[Kind]>(`/api/stats/${kind}${queryString({ from })}`, { signal });
    },
    staleTime: 10_000,
    refetchInterval: 60_000,
  });
