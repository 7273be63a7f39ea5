import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.account,
}).lazy(() => importPage(() => import("./account-page.tsx")).then(({ accountPage }) => accountPage));
