import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";
import { type DecisionsSearch, toDecisionsRequest } from "./decisions-search.ts";

/** More than in other lists, because repeated decisions share a row. */
export const DECISIONS_PAGE_SIZE = 50;

export const decisionsQuery = (search: DecisionsSearch) =>
  queryOptions({
    queryKey: ["decisions", search],
    queryFn: ({ signal }) =>
      api("GET /api/decisions", {
        query: { ...toDecisionsRequest(search, Date.now()), limit: DECISIONS_PAGE_SIZE },
        signal,
        hasPayload: true,
      }),
    placeholderData: keepPreviousData,
    // Comparing responses would copy the objects that hold numbers as they were sent.
    structuralSharing: false,
  });
