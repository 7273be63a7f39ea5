import { queryOptions } from "@tanstack/react-query";
import type { SignInMethods } from "@whytrace/contract";
import { api } from "./api.ts";

/** How people can sign in here. It changes only when the server restarts. */
export const signInMethodsQuery = queryOptions({
  queryKey: ["sign-in-methods"],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: ({ signal }) => api<SignInMethods>("/api/auth/methods", { signal }),
});
