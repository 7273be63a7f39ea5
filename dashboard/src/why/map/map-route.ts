import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";
import { agentsQuery, mapQuery } from "../insights-query.ts";
import { parseMapSearch } from "./map-search.ts";

/** Starts fetching while the page's own chunk loads. */
export const mapRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.decisionMap,
  validateSearch: parseMapSearch,
  loaderDeps: ({ search: { agent, range } }) => ({ agent, range }),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(mapQuery(deps));
    void queryClient.prefetchQuery(agentsQuery(deps));
  },
}).lazy(() => importPage(() => import("./map-page.tsx")).then(({ mapPage }) => mapPage));
