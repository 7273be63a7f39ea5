import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";

export const guideRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.whyGuide,
}).lazy(() => importPage(() => import("./guide-page.tsx")).then(({ guidePage }) => guidePage));
