import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { comparisonQuery, releasesQuery } from "./agents-queries.ts";
import { parseReleasesSearch, sidesOf } from "./releases-search.ts";

/** Starts fetching while the page's own chunk loads. */
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
