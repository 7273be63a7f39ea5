import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { PageInfo, TraceRow } from "@whytrace/contract";
import { api, queryString } from "../client/api.ts";
import { type TracesSearch, toTracesRequest } from "./traces-search.ts";

/** Marks make no other list. */
export const tracesQuery = ({ compareA: _a, compareB: _b, ...search }: TracesSearch) =>
  queryOptions({
    queryKey: ["traces", search],
    queryFn: ({ signal }) =>
      api<PageInfo & { traces: TraceRow[] }>(
        `/api/traces${queryString({ ...toTracesRequest(search, Date.now()), include: "models" })}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
