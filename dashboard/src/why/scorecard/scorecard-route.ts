import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";
import { pickCounted } from "../counted-search.ts";
import { findingsQuery } from "../findings/findings-query.ts";
import { scorecardQuery } from "../insights-query.ts";
import { parseScorecardSearch } from "./scorecard-search.ts";

/** Starts fetching while the page's own chunk loads. */
export const scorecardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.scorecard,
  validateSearch: parseScorecardSearch,
  loaderDeps: ({ search }) => ({ ...pickCounted(search), lens: search.lens }),
  loader: ({ context: { queryClient }, params: { signature }, deps }) => {
    void queryClient.prefetchQuery(scorecardQuery(signature, deps));
    void queryClient.prefetchQuery(findingsQuery(deps));
  },
}).lazy(() => importPage(() => import("./scorecard-page.tsx")).then(({ scorecardPage }) => scorecardPage));
