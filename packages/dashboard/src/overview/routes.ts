import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { issuesQuery } from "../issues/issues-query.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { findingsQuery } from "../why/findings/findings-query.ts";
import { DEFAULT_RANGE, parseOverviewSearch } from "./overview-search.ts";
import { errorStatsQuery, modelStatsQuery, traceStatsQuery } from "./stats-query.ts";

export const overviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.home,
  validateSearch: parseOverviewSearch,
  loaderDeps: ({ search: { range = DEFAULT_RANGE } }) => ({ range }),
  loader: ({ context: { queryClient }, deps: { range } }) => {
    void queryClient.prefetchQuery(traceStatsQuery(range));
    void queryClient.prefetchQuery(modelStatsQuery(range));
    void queryClient.prefetchQuery(errorStatsQuery(range));
    void queryClient.prefetchQuery(findingsQuery({ range }));
    void queryClient.prefetchQuery(issuesQuery({}));
  },
}).lazy(() => importPage(() => import("./overview-page.tsx")).then(({ overviewPage }) => overviewPage));
