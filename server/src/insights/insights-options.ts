import type { Guards } from "../api-keys/guards.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { DaysReader } from "./days/days-reader.ts";

/** What the routes of insights need. */
export interface InsightsOptions {
  reads: FairDatabase;
  guards: Guards;
  /** Figures of ranges of days; all routes share its cache. */
  days: DaysReader;
}
