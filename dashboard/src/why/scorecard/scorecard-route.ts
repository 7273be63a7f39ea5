import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";
import { parseScorecardSearch } from "./scorecard-search.ts";

export const scorecardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.scorecard,
  validateSearch: parseScorecardSearch,
}).lazy(() => importPage(() => import("./scorecard-page.tsx")).then(({ scorecardPage }) => scorecardPage));
