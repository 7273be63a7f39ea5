import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { decisionsQuery } from "./decisions-query.ts";
import { parseDecisionsSearch } from "./decisions-search.ts";

export const decisionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.decisions,
  validateSearch: parseDecisionsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(decisionsQuery(deps)),
}).lazy(() => importPage(() => import("./decisions-page.tsx")).then(({ decisionsPage }) => decisionsPage));
