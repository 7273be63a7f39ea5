import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { omitEmpty, parseOneOf, parsePage } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import {
  AGENT_SESSION_VIEWS,
  type AgentSessionView,
  agentSessionQuery,
  agentSessionsQuery,
  tracesOfAgentSessionQuery,
} from "./agent-sessions-queries.ts";

export const agentSessionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.agentSessions,
  validateSearch: (search): { page?: number | undefined } => omitEmpty({ page: parsePage(search.page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(agentSessionsQuery(deps)),
}).lazy(() =>
  importPage(() => import("./agent-sessions-page.tsx")).then(({ agentSessionsPage }) => agentSessionsPage),
);

export const agentSessionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.agentSession,
  validateSearch: (search): { view?: AgentSessionView | undefined } =>
    omitEmpty({ view: parseOneOf(AGENT_SESSION_VIEWS, search.view) }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(agentSessionQuery(id));
    void queryClient.prefetchQuery(tracesOfAgentSessionQuery(id));
  },
}).lazy(() =>
  importPage(() => import("./agent-session-page.tsx")).then(({ agentSessionPage }) => agentSessionPage),
);
