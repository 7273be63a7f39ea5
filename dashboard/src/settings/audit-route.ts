import { createRoute } from "@tanstack/react-router";
import { importPage } from "../client/import-page.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { parseAuditSearch } from "./audit-search.ts";

export const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.audit,
  validateSearch: parseAuditSearch,
}).lazy(() => importPage(() => import("./audit-page.tsx")).then(({ auditPage }) => auditPage));
