import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { parseCountedSearch, pickCounted } from "./counted-search.ts";
import { findingsQuery } from "./findings/findings-query.ts";
import { agentsQuery, mapQuery, scorecardQuery, whyQuery } from "./insights-query.ts";
import { parseWhySearch } from "./list/why-search.ts";
import { parseMapSearch } from "./map/map-search.ts";
import { rulesQuery } from "./rules/rules-query.ts";
import { parseScorecardSearch } from "./scorecard/scorecard-search.ts";

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
}).lazy(() => importPage(() => import("./list/why-page.tsx")).then(({ whyPage }) => whyPage));

export const mapRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.decisionMap,
  validateSearch: parseMapSearch,
  loaderDeps: ({ search: { agent, range } }) => ({ agent, range }),
  loader: ({ context: { queryClient }, deps }) => {
    void queryClient.prefetchQuery(mapQuery(deps));
    void queryClient.prefetchQuery(agentsQuery(deps));
  },
}).lazy(() => importPage(() => import("./map/map-page.tsx")).then(({ mapPage }) => mapPage));

export const scorecardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.scorecard,
  validateSearch: parseScorecardSearch,
  loaderDeps: ({ search }) => ({ ...pickCounted(search), lens: search.lens }),
  loader: ({ context: { queryClient }, params: { signature }, deps }) => {
    void queryClient.prefetchQuery(scorecardQuery(signature, deps));
    void queryClient.prefetchQuery(findingsQuery(deps));
  },
}).lazy(() =>
  importPage(() => import("./scorecard/scorecard-page.tsx")).then(({ scorecardPage }) => scorecardPage),
);

export const rulesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.rules,
  validateSearch: parseCountedSearch,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(rulesQuery),
}).lazy(() => importPage(() => import("./rules/rules-page.tsx")).then(({ rulesPage }) => rulesPage));

export const guideRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.whyGuide,
}).lazy(() => importPage(() => import("./guide/guide-page.tsx")).then(({ guidePage }) => guidePage));

export const wordsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.words,
}).lazy(() => importPage(() => import("./guide/words-page.tsx")).then(({ wordsPage }) => wordsPage));
