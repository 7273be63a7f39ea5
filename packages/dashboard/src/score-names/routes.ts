import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { scoreSummaryQuery } from "./score-queries.ts";
import { parseScoresSearch } from "./scores-search.ts";

export const scoresRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.scores,
  validateSearch: parseScoresSearch,
  loaderDeps: ({ search: { agent, range } }) => ({ agent, range }),
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(scoreSummaryQuery(deps)),
}).lazy(() => importPage(() => import("./scores-page.tsx")).then(({ scoresPage }) => scoresPage));
