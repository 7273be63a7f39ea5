import { queryOptions } from "@tanstack/react-query";
import type { MemberList } from "@whytrace/contract";
import { api } from "../../client/api.ts";

export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: ({ signal }) => api<MemberList>("/api/members", { signal }),
});
