import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { parseReviewRunsSearch } from "./review-runs-search.ts";

export const reviewRunsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.reviewRuns,
  validateSearch: parseReviewRunsSearch,
}).lazy(() =>
  importPage(() => import("./review-runs-page.tsx")).then(({ reviewRunsPage }) => reviewRunsPage),
);
