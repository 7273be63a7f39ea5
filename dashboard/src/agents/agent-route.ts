import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { findingsQuery } from "../why/findings/findings-query.ts";
import { healthQuery, releasesQuery } from "./agents-queries.ts";
import { parseRange } from "./agents-route.ts";

export const agentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.agent,
  validateSearch: parseRange,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { agent }, deps: { range } }) => {
    void queryClient.prefetchQuery(healthQuery(range, agent));
    void queryClient.prefetchQuery(releasesQuery(agent, range));
    void queryClient.prefetchQuery(findingsQuery({ agent, range }));
  },
}).lazy(() => importPage(() => import("./agent-page.tsx")).then(({ agentPage }) => agentPage));
