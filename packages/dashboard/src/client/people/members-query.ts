import { queryOptions } from "@tanstack/react-query";
import { api } from "../api.ts";
import { isSample } from "../base-path.ts";

/** Who belongs to the workspace. The sample has no members. */
export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: ({ signal }) => api("GET /api/members", { signal }),
  enabled: !isSample,
});
