import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { comparisonQuery, partnersQuery } from "./compare-queries.ts";
import { parseCompareSearch } from "./compare-search.ts";

export const compareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.compare,
  validateSearch: parseCompareSearch,
  loaderDeps: ({ search: { a, b, step } }) => ({ a, b, step }),
  loader: ({ context: { queryClient }, deps: { a, b, step } }) => {
    if (a) void queryClient.prefetchQuery(partnersQuery(a, step));
    if (a && b) void queryClient.prefetchQuery(comparisonQuery(a, b));
  },
}).lazy(() => importPage(() => import("./compare-page.tsx")).then(({ comparePage }) => comparePage));
