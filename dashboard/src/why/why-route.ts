import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { parseWhySearch } from "./why-search.ts";

export const whyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.why,
  validateSearch: parseWhySearch,
}).lazy(() => importPage(() => import("./why-page.tsx")).then(({ whyPage }) => whyPage));
