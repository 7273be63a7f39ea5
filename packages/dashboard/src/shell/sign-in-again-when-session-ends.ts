import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { ApiError } from "../client/api.ts";
import { workspaceSlug } from "../client/base-path.ts";
import { sessionQuery } from "../client/session.ts";
import { onUnauthorized } from "../client/unauthorized.ts";
import { paths } from "../paths.ts";
import { leaveToSignIn } from "./enter-workspace.ts";
import { signedInRoute } from "./signed-in-route.tsx";

/** Goes to the sign-in page, and from there back to this view, when the session ends while a page is open. */
export function signInAgainWhenSessionEnds(router: AnyRouter, queryClient: QueryClient) {
  const hasSession = () => Boolean(queryClient.getQueryData(sessionQuery.queryKey));
  let isChecking = false;
  onUnauthorized(async () => {
    if (isChecking || !hasSession()) return;
    isChecking = true;
    // A 401 can also mean a wrong password, so only the session itself tells.
    const isEnded = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).then(
      () => false,
      (error: unknown) => error instanceof ApiError && error.status === 401,
    );
    const isSignedInPage = router.state.matches.some(({ routeId }) => routeId === signedInRoute.id);
    // Without a session the user has signed out meanwhile.
    if (isEnded && isSignedInPage && hasSession()) {
      const next = router.state.location.href;
      if (workspaceSlug !== undefined) return void leaveToSignIn(next);
      await router.navigate({ to: paths.login, search: { next, reason: "expired" }, replace: true });
      queryClient.clear();
    }
    isChecking = false;
  });
}
