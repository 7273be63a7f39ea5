import { queryOptions } from "@tanstack/react-query";
import type { Factors, IdentityList, PasskeyList } from "@whytrace/contract";
import { api } from "../../client/api.ts";

export const factorsQuery = queryOptions({
  queryKey: ["factors"],
  queryFn: ({ signal }) => api<Factors>("/api/account/factors", { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => api<PasskeyList>("/api/account/passkeys", { signal }),
});

export const identitiesQuery = queryOptions({
  queryKey: ["identities"],
  queryFn: ({ signal }) => api<IdentityList>("/api/account/identities", { signal }),
});
