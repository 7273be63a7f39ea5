import { createRoute } from "@tanstack/react-router";
import { importPage } from "../../client/import-page.ts";
import { paths } from "../../paths.ts";
import { signedInRoute } from "../../shell/signed-in-route.tsx";

export const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.members,
}).lazy(() => importPage(() => import("./members-page.tsx")).then(({ membersPage }) => membersPage));
