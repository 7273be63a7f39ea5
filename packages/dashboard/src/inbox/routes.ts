import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { issuesQuery } from "../issues/issues-query.ts";
import { parseIssuesSearch } from "../issues/issues-search.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";

export const inboxRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.issues,
  validateSearch: parseIssuesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => void queryClient.prefetchQuery(issuesQuery(deps)),
}).lazy(() => importPage(() => import("./inbox-page.tsx")).then(({ inboxPage }) => inboxPage));
