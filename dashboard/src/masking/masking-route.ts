import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { maskingQuery } from "./masking-query.ts";

export const maskingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.masking,
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(maskingQuery),
}).lazy(() => importPage(() => import("./masking-page.tsx")).then(({ maskingPage }) => maskingPage));
