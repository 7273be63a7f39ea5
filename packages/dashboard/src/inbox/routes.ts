import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";
import { issuesQuery } from "../issues-query.ts";
import { parseIssuesSearch } from "../issues-search.ts";

/** Starts fetching while the page's own chunk loads. */
export const inboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.issues,
  validateSearch: parseIssuesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(issuesQuery(deps)),
}).lazy(() => importPage(() => import("./inbox-page.tsx")).then(({ inboxPage }) => inboxPage));
