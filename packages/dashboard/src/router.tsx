import { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import {
  cliRoute,
  forgotPasswordRoute,
  invitationRoute,
  loginRoute,
  registerRoute,
  resetPasswordRoute,
  verifyEmailRoute,
  welcomeRoute,
} from "./account/routes.ts";
import { agentSessionRoute, agentSessionsRoute } from "./agent-sessions/routes.ts";
import { agentRoute, agentsRoute, releasesRoute } from "./agents/routes.ts";
import { alertsRoute } from "./alerts/routes.ts";
import { ApiError, queryString, setApiAddress } from "./client/api.ts";
import { apiUrl, basePath, isSample } from "./client/base-path.ts";
import { setOpening } from "./client/import-page.ts";
import { isLive } from "./client/live.ts";
import { isLiveList } from "./client/live-rows.ts";
import { parseSearch } from "./client/search-params.ts";
import { compareRoute } from "./compare/routes.ts";
import { decisionsRoute } from "./decisions/routes.ts";
import { inboxRoute } from "./inbox/routes.ts";
import { issueRoute } from "./issue/routes.ts";
import { maskingRoute } from "./masking/routes.ts";
import { outcomesRoute } from "./outcomes/routes.ts";
import { overviewRoute } from "./overview/routes.ts";
import { reviewRunsRoute } from "./reviews/routes.ts";
import { scoresRoute } from "./score-names/routes.ts";
import {
  accountRoute,
  apiKeysRoute,
  auditRoute,
  billingRoute,
  generalRoute,
  linksRoute,
  membersRoute,
  pricesRoute,
  signInRoute,
} from "./settings/routes.ts";
import { sharedRoute } from "./shared/routes.tsx";
import { rootRoute } from "./shell/root-route.tsx";
import { PageSkeleton } from "./shell/shell.tsx";
import { signInAgainWhenSessionEnds } from "./shell/sign-in-again-when-session-ends.ts";
import { newWorkspaceRoute, signedInRoute } from "./shell/signed-in-route.tsx";
import { traceRoute } from "./trace/routes.tsx";
import { tracesRoute } from "./traces/routes.ts";
import { guideRoute, mapRoute, rulesRoute, scorecardRoute, whyRoute, wordsRoute } from "./why/routes.ts";

setApiAddress(apiUrl);

/** The sample is made when somebody opens it for the first time. */
const isBeingMade = (error: Error) => isSample && error instanceof ApiError && error.status === 503;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The live stream already updates these lists. A refetch on focus would move their rows.
      refetchOnWindowFocus: ({ queryKey }) => !(isLive() && isLiveList(queryKey)),
      refetchOnReconnect: ({ queryKey }) => !(isLive() && isLiveList(queryKey)),
      // Retry network and server errors only: a 4xx response would be the same again.
      retry: (count, error) =>
        (count < 2 || isBeingMade(error)) &&
        !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

export const router = createRouter({
  context: { queryClient },
  basepath: basePath || "/",
  defaultPreload: "intent",
  // Until then the page before stays, with a line at the top.
  defaultPendingMs: 1_000,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  scrollRestoration: true,
  parseSearch,
  stringifySearch: queryString,
  // Pages see only the search parameters that they have validated.
  search: { strict: true },
  routeTree: rootRoute.addChildren([
    loginRoute,
    registerRoute,
    forgotPasswordRoute,
    resetPasswordRoute,
    verifyEmailRoute,
    invitationRoute,
    cliRoute,
    sharedRoute,
    signedInRoute.addChildren([
      overviewRoute,
      welcomeRoute,
      inboxRoute,
      issueRoute,
      alertsRoute,
      tracesRoute,
      traceRoute,
      decisionsRoute,
      whyRoute,
      mapRoute,
      guideRoute,
      rulesRoute,
      wordsRoute,
      scorecardRoute,
      scoresRoute,
      reviewRunsRoute,
      agentsRoute,
      agentRoute,
      releasesRoute,
      compareRoute,
      agentSessionsRoute,
      agentSessionRoute,
      generalRoute,
      apiKeysRoute,
      outcomesRoute,
      membersRoute,
      maskingRoute,
      linksRoute,
      pricesRoute,
      billingRoute,
      auditRoute,
      newWorkspaceRoute,
      accountRoute,
      signInRoute,
    ]),
  ]),
});

setOpening(() => router.state.status === "pending");
signInAgainWhenSessionEnds(router, queryClient);

/** Starts to load the page of the address while the session is checked; if that fails, opening the page tries again. */
export function loadFirstPage() {
  const matched = router.matchRoutes(router.latestLocation).map(({ routeId }) => routeId);
  for (const route of Object.values(router.routesById))
    if (matched.includes(route.id)) router.loadRouteChunk(route)?.catch(() => undefined);
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
