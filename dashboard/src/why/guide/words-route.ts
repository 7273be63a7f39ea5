import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";

export const wordsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.words,
}).lazy(() => importPage(() => import("./words-page.tsx")).then(({ wordsPage }) => wordsPage));
