import { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { cliRoute } from "./account/cli-route.ts";
import { forgotPasswordRoute } from "./account/forgot-password-page.tsx";
import { invitationRoute } from "./account/invitation-page.tsx";
import { loginRoute } from "./account/login-page.tsx";
import { registerRoute } from "./account/register-page.tsx";
import { resetPasswordRoute } from "./account/reset-password-page.tsx";
import { verifyEmailRoute } from "./account/verify-email-page.tsx";
import { welcomeRoute } from "./account/welcome-page.tsx";
import { agentSessionRoute } from "./agent-sessions/agent-session-page.tsx";
import { agentSessionsRoute } from "./agent-sessions/agent-sessions-page.tsx";
import { agentRoute } from "./agents/agent-route.ts";
import { agentsRoute } from "./agents/agents-route.ts";
import { releasesRoute } from "./agents/releases-route.ts";
import { alertsRoute } from "./alerts/alerts-route.ts";
import { ApiError, queryString, setApiAddress } from "./client/api.ts";
import { apiUrl, basePath, isSample } from "./client/base-path.ts";
import { isLive } from "./client/live.ts";
import { isLiveList } from "./client/live-rows.ts";
import { parseSearch } from "./client/search-params.ts";
import { compareRoute } from "./compare/compare-route.ts";
import { decisionsRoute } from "./decisions/decisions-page.tsx";
import { inboxRoute } from "./issues/list/inbox-route.ts";
import { issueRoute } from "./issues/page/issue-route.ts";
import { maskingRoute } from "./masking/masking-route.ts";
import { outcomesRoute } from "./outcomes/outcomes-route.ts";
import { overviewRoute } from "./overview/overview-page.tsx";
import { scoresRoute } from "./scores/list/scores-route.ts";
import { reviewRunsRoute } from "./scores/review/review-runs-route.ts";
import { accountRoute } from "./settings/account-route.ts";
import { apiKeysRoute } from "./settings/api-keys-page.tsx";
import { auditRoute } from "./settings/audit-route.ts";
import { billingRoute } from "./settings/billing-page.tsx";
import { generalRoute } from "./settings/general/general-route.ts";
import { linksRoute } from "./settings/links-page.tsx";
import { membersRoute } from "./settings/members/members-route.ts";
import { pricesRoute } from "./settings/prices-page.tsx";
import { signInRoute } from "./settings/sign-in/sign-in-route.ts";
import { sharedRoute } from "./shared/shared-route.tsx";
import { rootRoute } from "./shell/root-route.tsx";
import { signInAgainWhenSessionEnds } from "./shell/sign-in-again-when-session-ends.ts";
import { newWorkspaceRoute, signedInRoute } from "./shell/signed-in-route.tsx";
import { traceRoute } from "./trace/trace-route.tsx";
import { tracesRoute } from "./traces/traces-page.tsx";
import { guideRoute } from "./why/guide/guide-route.ts";
import { wordsRoute } from "./why/guide/words-route.ts";
import { whyRoute } from "./why/list/why-route.ts";
import { mapRoute } from "./why/map/map-route.ts";
import { rulesRoute } from "./why/rules/rules-route.ts";
import { scorecardRoute } from "./why/scorecard/scorecard-route.ts";

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

signInAgainWhenSessionEnds(router, queryClient);

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
