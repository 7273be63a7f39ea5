import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";
import { parseCountedSearch } from "../counted-search.ts";
import { rulesQuery } from "./rules-query.ts";

export const rulesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.rules,
  validateSearch: parseCountedSearch,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(rulesQuery),
}).lazy(() => importPage(() => import("./rules-page.tsx")).then(({ rulesPage }) => rulesPage));
