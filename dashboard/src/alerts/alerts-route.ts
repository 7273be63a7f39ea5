import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { parseAlertsSearch } from "./model/alerts-search.ts";

export const alertsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.alerts,
  validateSearch: parseAlertsSearch,
}).lazy(() => importPage(() => import("./alerts-page.tsx")).then(({ alertsPage }) => alertsPage));
