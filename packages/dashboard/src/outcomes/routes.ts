import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { omitEmpty, parseText } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { outcomesQuery } from "./outcomes-query.ts";

export interface OutcomesSearch {
  /** Undefined: all agents without a definition of their own. */
  agent?: string | undefined;
}

export const outcomesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.outcomes,
  validateSearch: (search: Record<string, unknown>): OutcomesSearch =>
    omitEmpty({ agent: parseText(search.agent) }),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(outcomesQuery),
}).lazy(() => importPage(() => import("./outcomes-page.tsx")).then(({ outcomesPage }) => outcomesPage));
