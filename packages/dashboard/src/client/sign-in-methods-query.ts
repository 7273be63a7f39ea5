import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

/** How people can sign in here. It changes only when the server restarts. */
export const signInMethodsQuery = queryOptions({
  queryKey: ["sign-in-methods"],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: ({ signal }) => api("GET /api/auth/methods", { signal }),
});
