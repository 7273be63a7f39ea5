import { createRoute } from "@tanstack/react-router";
import { healthQuery } from "../agents/agents-queries.ts";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { rulesQuery } from "./model/alerts-queries.ts";
import { parseAlertsSearch } from "./model/alerts-search.ts";

export const alertsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.alerts,
  validateSearch: parseAlertsSearch,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(rulesQuery);
    void queryClient.prefetchQuery(healthQuery(undefined));
  },
}).lazy(() => importPage(() => import("./alerts-page.tsx")).then(({ alertsPage }) => alertsPage));
