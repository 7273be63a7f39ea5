import { queryOptions } from "@tanstack/react-query";
import type { ApiKeyList } from "@whytrace/contract";
import { api } from "../client/api.ts";

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ signal }) => api<ApiKeyList>("/api/keys", { signal }),
});
