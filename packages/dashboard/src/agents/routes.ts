import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { omitEmpty, parseOneOf } from "../client/search-params.ts";
import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { findingsQuery } from "../why/findings/findings-query.ts";
import { comparisonQuery, healthQuery, releasesQuery } from "./agents-queries.ts";
import { parseReleasesSearch, sidesOf } from "./releases-search.ts";

const parseRange = (search: Record<string, unknown>): { range?: RangeName | undefined } =>
  omitEmpty({ range: parseOneOf(RANGE_NAMES, search.range) });

export const agentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.agents,
  validateSearch: parseRange,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { range } }) =>
    void queryClient.prefetchQuery(healthQuery(range)),
}).lazy(() => importPage(() => import("./agents-page.tsx")).then(({ agentsPage }) => agentsPage));

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

export const releasesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.releases,
  validateSearch: parseReleasesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { agent }, deps }) =>
    void queryClient
      .fetchQuery(releasesQuery(agent, deps.range))
      .then((history) => queryClient.prefetchQuery(comparisonQuery(agent, sidesOf(deps, history))))
      // The page shows the error.
      .catch(() => undefined),
}).lazy(() => importPage(() => import("./releases-page.tsx")).then(({ releasesPage }) => releasesPage));
