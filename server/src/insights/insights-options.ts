import type { SessionGuard } from "../auth/require-session.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { DaysReader } from "./days/days-reader.ts";

/** What the routes of insights need. */
export interface InsightsOptions {
  reads: FairDatabase;
  guard: SessionGuard;
  /** Figures of ranges of days; all routes share its cache. */
  days: DaysReader;
}
