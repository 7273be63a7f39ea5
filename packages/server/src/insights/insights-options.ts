import type { Guards } from "../api-keys/guards.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { RunLearner } from "./blame/run-learner.ts";
import type { DaysReader } from "./days/days-reader.ts";
import type { FindingsReader } from "./findings/serve/findings-reader.ts";

/** What the routes of insights need. */
export interface InsightsOptions {
  /** For the audit log. */
  db: Database;
  reads: FairDatabase;
  guards: Guards;
  /** Figures of ranges of days; all routes share its cache. */
  days: DaysReader;
  /** All callers share what is being computed. */
  findings: FindingsReader;
  /** What was learnt of agents' runs; all routes share its cache. */
  learner: RunLearner;
}
