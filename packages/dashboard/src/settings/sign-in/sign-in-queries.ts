import { queryOptions } from "@tanstack/react-query";
import { api } from "../../client/api.ts";

export const factorsQuery = queryOptions({
  queryKey: ["factors"],
  queryFn: ({ signal }) => api("GET /api/account/factors", { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }) => api("GET /api/account/passkeys", { signal }),
});

export const identitiesQuery = queryOptions({
  queryKey: ["identities"],
  queryFn: ({ signal }) => api("GET /api/account/identities", { signal }),
});
