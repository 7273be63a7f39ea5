import type { App } from "../http/app-instance.ts";
import { agentRoutes } from "./agents/routes.ts";
import { blameRoutes } from "./blame/routes.ts";
import { compareRoutes } from "./compare/routes.ts";
import { driftRoutes } from "./drift/routes.ts";
import { findingsRoutes } from "./findings/serve/routes.ts";
import { situationRoutes } from "./findings/situation/routes.ts";
import type { InsightsOptions } from "./insights-options.ts";
import { mapRoutes } from "./map/routes.ts";
import { releaseRoutes } from "./releases/routes.ts";
import { ruleRoutes } from "./rules/routes.ts";
import { scorecardRoutes } from "./scorecards/routes.ts";

const ROUTES: ((app: App, options: InsightsOptions) => void)[] = [
  scorecardRoutes,
  agentRoutes,
  findingsRoutes,
  situationRoutes,
  mapRoutes,
  blameRoutes,
  compareRoutes,
  driftRoutes,
  releaseRoutes,
  ruleRoutes,
];

export function insightsRoutes(app: App, options: InsightsOptions) {
  for (const routes of ROUTES) routes(app, options);
}
