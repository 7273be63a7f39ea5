import { queryOptions } from "@tanstack/react-query";
import { api } from "../api.ts";

/** The invitations that wait for the signed-in person. */
export const ownInvitationsQuery = queryOptions({
  queryKey: ["own-invitations"],
  queryFn: ({ signal }) => api("GET /api/account/invitations", { signal }),
});
