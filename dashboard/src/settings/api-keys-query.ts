import { queryOptions } from "@tanstack/react-query";
import type { ApiKey } from "@whytrace/contract";
import { api } from "../client/api.ts";

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ signal }) => api<{ keys: ApiKey[] }>("/api/keys", { signal }),
});
