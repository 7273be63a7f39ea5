import { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { forgotPasswordRoute } from "./account/forgot-password-page.tsx";
import { loginRoute } from "./account/login-page.tsx";
import { registerRoute } from "./account/register-page.tsx";
import { resetPasswordRoute } from "./account/reset-password-page.tsx";
import { verifyEmailRoute } from "./account/verify-email-page.tsx";
import { welcomeRoute } from "./account/welcome-page.tsx";
import { agentSessionRoute } from "./agent-sessions/agent-session-page.tsx";
import { agentSessionsRoute } from "./agent-sessions/agent-sessions-page.tsx";
import { ApiError, queryString } from "./client/api.ts";
import { isLive } from "./client/live.ts";
import { isLiveList } from "./client/live-rows.ts";
import { parseSearch } from "./client/search-params.ts";
import { compareRoute } from "./compare/compare-route.ts";
import { decisionsRoute } from "./decisions/decisions-page.tsx";
import { overviewRoute } from "./overview/overview-page.tsx";
import { accountRoute } from "./settings/account-page.tsx";
import { apiKeysRoute } from "./settings/api-keys-page.tsx";
import { billingRoute } from "./settings/billing-page.tsx";
import { linksRoute } from "./settings/links-page.tsx";
import { pricesRoute } from "./settings/prices-page.tsx";
import { sharedRoute } from "./shared/shared-route.tsx";
import { rootRoute } from "./shell/root-route.tsx";
import { signInAgainWhenSessionEnds } from "./shell/sign-in-again-when-session-ends.ts";
import { signedInRoute } from "./shell/signed-in-route.tsx";
import { traceRoute } from "./trace/trace-route.tsx";
import { tracesRoute } from "./traces/traces-page.tsx";
import { guideRoute } from "./why/guide/guide-route.ts";
import { whyRoute } from "./why/list/why-route.ts";
import { mapRoute } from "./why/map/map-route.ts";
import { scorecardRoute } from "./why/scorecard/scorecard-route.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The live stream already updates these lists. A refetch on focus would move their rows.
      refetchOnWindowFocus: ({ queryKey }) => !(isLive() && isLiveList(queryKey)),
      refetchOnReconnect: ({ queryKey }) => !(isLive() && isLiveList(queryKey)),
      // Retry network and server errors only: a 4xx response would be the same again.
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

export const router = createRouter({
  context: { queryClient },
  defaultPreload: "intent",
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
    sharedRoute,
    signedInRoute.addChildren([
      overviewRoute,
      welcomeRoute,
      tracesRoute,
      traceRoute,
      decisionsRoute,
      whyRoute,
      mapRoute,
      guideRoute,
      scorecardRoute,
      compareRoute,
      agentSessionsRoute,
      agentSessionRoute,
      apiKeysRoute,
      linksRoute,
      pricesRoute,
      billingRoute,
      accountRoute,
    ]),
  ]),
});

signInAgainWhenSessionEnds(router, queryClient);

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
