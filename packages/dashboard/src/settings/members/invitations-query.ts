import { queryOptions } from "@tanstack/react-query";
import { api } from "../../client/api.ts";

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => api("GET /api/invitations", { signal }),
});
