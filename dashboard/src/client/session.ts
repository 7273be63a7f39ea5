import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { Session } from "@whytrace/contract";
import { ApiError, api } from "./api.ts";

/**
 * The signed-in user's session; null when signed out. When a session ends while its page is open, the query fails and
 * keeps the session, so that the page stays as it is until the sign-in page replaces it.
 */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  retry: false,
  queryFn: ({ client, queryKey, signal }): Promise<Session | null> =>
    api<Session>("/api/auth/session", { signal }).catch((error: unknown) => {
      const hadSession = Boolean(client.getQueryData(queryKey));
      if (error instanceof ApiError && error.status === 401 && !hadSession) return null;
      throw error;
    }),
});

/** The signed-in user. Only for pages that require sign-in. */
export function useUser() {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new ApiError(401, "You are signed out.");
  return data.user;
}
