import { queryOptions } from "@tanstack/react-query";
import { api } from "../../client/api.ts";

/** The workspace of this tab, with what it demands of its members' sign-in. */
export const workspaceQuery = queryOptions({
  queryKey: ["workspace"],
  queryFn: ({ signal }) => api("GET /api/workspace", { signal }),
});
