import type { SessionGuard } from "../auth/require-session.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";

export interface InsightsOptions {
  reads: FairDatabase;
  guard: SessionGuard;
}

const ROUTES: ((app: App, options: InsightsOptions) => void)[] = [];

export function insightsRoutes(app: App, options: InsightsOptions) {
  for (const routes of ROUTES) routes(app, options);
}
