import { queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ signal }) => api("GET /api/keys", { signal }),
});
