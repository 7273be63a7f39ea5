import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";

export const generalRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.general,
}).lazy(() => importPage(() => import("./general-page.tsx")).then(({ generalPage }) => generalPage));
