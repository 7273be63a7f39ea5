import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { omitEmpty, parseOneOf } from "../client/search-params.ts";
import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { healthQuery } from "./agents-queries.ts";

export const parseRange = (search: Record<string, unknown>): { range?: RangeName | undefined } =>
  omitEmpty({ range: parseOneOf(RANGE_NAMES, search.range) });

/** Starts fetching while the page's own chunk loads. */
export const agentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.agents,
  validateSearch: parseRange,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { range } }) =>
    void queryClient.prefetchQuery(healthQuery(range)),
}).lazy(() => importPage(() => import("./agents-page.tsx")).then(({ agentsPage }) => agentsPage));
