import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import type { Session } from "@whytrace/contract";
import { ApiError, api } from "./api.ts";
import { isSample } from "./base-path.ts";

/** Who reads the sample: nobody in particular. */
const VISITOR: Session = {
  user: { id: "", email: "", name: "Visitor", isEmailVerified: true, createdAt: "2026-01-01T00:00:00.000Z" },
  expiresAt: "9999-12-31T00:00:00.000Z",
  signIn: { methods: [], at: "2026-01-01T00:00:00.000Z", confirmedAt: null, hasSecondFactor: false },
  workspaces: [],
};

/**
 * The signed-in user's session; null when signed out. When a session ends while its page is open, the query fails and
 * keeps the session, so that the page stays as it is until the sign-in page replaces it.
 */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  staleTime: 60_000,
  retry: false,
  queryFn: ({ client, queryKey, signal }): Promise<Session | null> | Session => {
    if (isSample) return VISITOR;
    return api("GET /api/auth/session", { signal }).catch((error: unknown) => {
      const hadSession = Boolean(client.getQueryData(queryKey));
      if (error instanceof ApiError && error.status === 401 && !hadSession) return null;
      throw error;
    });
  },
});

/** The session. Only for pages that require sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new ApiError(401, "You are signed out.");
  return data;
}

/** The signed-in user. Only for pages that require sign-in. */
export const useUser = () => useSession().user;
