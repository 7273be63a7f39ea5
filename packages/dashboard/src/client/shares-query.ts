import { queryOptions } from "@tanstack/react-query";
import type { ShareList } from "@whytrace/contract";
import { api } from "./api.ts";

export const sharesQuery = queryOptions({
  queryKey: ["shares"],
  queryFn: ({ signal }) => api<ShareList>("/api/shares", { signal }),
});
