import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { parseTracesSearch } from "./filters/traces-search.ts";
import { tracesQuery } from "./traces-query.ts";

export const tracesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.traces,
  validateSearch: parseTracesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    if (!deps.in) void context.queryClient.prefetchQuery(tracesQuery(deps));
  },
}).lazy(() => importPage(() => import("./traces-page.tsx")).then(({ tracesPage }) => tracesPage));
