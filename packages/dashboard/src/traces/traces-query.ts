import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { type TracesSearch, toTracesRequest } from "./filters/traces-search.ts";

/** Marks make no other list. */
export const tracesQuery = ({ compareA: _a, compareB: _b, ...search }: TracesSearch) =>
  queryOptions({
    queryKey: ["traces", search],
    queryFn: ({ signal }) =>
      api("GET /api/traces", {
        query: { ...toTracesRequest(search, Date.now()), include: "models,outcome" },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
