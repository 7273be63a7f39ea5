import { queryOptions } from "@tanstack/react-query";
import type { InvitationList } from "@whytrace/contract";
import { api } from "../../client/api.ts";

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => api<InvitationList>("/api/invitations", { signal }),
});
