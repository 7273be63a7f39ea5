import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { Session } from "@whytrace/contract";
import { ApiError, api } from "./api.ts";

/** The signed-in user's session; null when signed out. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  retry: false,
  queryFn: ({ signal }) =>
    api<Session>("/api/auth/session", { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }),
});

/** The signed-in user. Only for pages that require sign-in. */
export function useUser() {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new ApiError(401, "You are signed out.");
  return data.user;
}
