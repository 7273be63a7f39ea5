import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";
import { parseMapSearch } from "./map-search.ts";

export const mapRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.decisionMap,
  validateSearch: parseMapSearch,
}).lazy(() => importPage(() => import("./map-page.tsx")).then(({ mapPage }) => mapPage));
