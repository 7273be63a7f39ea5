import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

export const sharesQuery = queryOptions({
  queryKey: ["shares"],
  queryFn: ({ signal }) => api("GET /api/shares", { signal }),
});
