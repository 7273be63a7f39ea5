import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";
import { pickCounted } from "../counted-search.ts";
import { findingsQuery } from "../findings/findings-query.ts";
import { agentsQuery, whyQuery } from "../insights-query.ts";
import { parseWhySearch } from "./why-search.ts";

/** Starts fetching while the page's own chunk loads. */
export const whyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.why,
  validateSearch: parseWhySearch,
  loaderDeps: ({ search }) => ({ ...pickCounted(search), lens: search.lens }),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(whyQuery(deps));
    void queryClient.prefetchQuery(findingsQuery(deps));
    void queryClient.prefetchQuery(agentsQuery(deps));
  },
}).lazy(() => importPage(() => import("./why-page.tsx")).then(({ whyPage }) => whyPage));
