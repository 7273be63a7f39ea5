import { queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";

export const priceRulesQuery = queryOptions({
  queryKey: ["prices"],
  queryFn: ({ signal }) => api("GET /api/prices", { signal }),
});

export const USED_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/** The models that traces of the last days called. */
export const usedModelsQuery = queryOptions({
  queryKey: ["stats", "models", "prices"],
  queryFn: ({ signal }) => {
    const from = new Date(Date.now() - USED_DAYS * DAY_MS).toISOString();
    return api("GET /api/stats/models", { query: { from }, signal });
  },
});
