import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { omitEmpty, parseOneOf } from "../client/search-params.ts";
import { RANGE_NAMES, type RangeName } from "../client/time-ranges.ts";
import { issueQuery } from "../issues/issues-query.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";

export const issueRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.issue,
  validateSearch: (search: Record<string, unknown>): { range?: RangeName | undefined } =>
    omitEmpty({ range: parseOneOf(RANGE_NAMES, search.range) }),
  loaderDeps: ({ search: { range } }) => ({ range }),
  loader: ({ context: { queryClient }, params: { number }, deps: { range } }) =>
    void queryClient.prefetchQuery(issueQuery(number, range)),
}).lazy(() => importPage(() => import("./issue-page.tsx")).then(({ issuePage }) => issuePage));
