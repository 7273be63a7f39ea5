import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { maskingQuery } from "../client/masking-query.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";

export const maskingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.masking,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(maskingQuery),
}).lazy(() => importPage(() => import("./masking-page.tsx")).then(({ maskingPage }) => maskingPage));
