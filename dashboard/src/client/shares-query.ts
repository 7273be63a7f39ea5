import { queryOptions } from "@tanstack/react-query";
import type { Share } from "@whytrace/contract";
import { api } from "./api.ts";

export const sharesQuery = queryOptions({
  queryKey: ["shares"],
  queryFn: ({ signal }) => api<{ shares: Share[] }>("/api/shares", { signal }),
});
