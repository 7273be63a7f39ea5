import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { DaysReader } from "../insights/days/days-reader.ts";
import { checkRules } from "./check/check-rules.ts";
import { readPast } from "./check/read-past.ts";
import { PAST_MINUTES, workspacesDue } from "./check/workspaces-due.ts";
import { conditionOf, readRules } from "./rules/stored-rule.ts";

interface CheckAlertsOptions {
  db: Database;
  reads: FairDatabase;
  days: DaysReader;
  tickMs: number;
  stopping: AbortSignal;
  onChecked: () => void;
}

/** Checks the rules of all workspaces that are due. A workspace whose check fails does not keep the others waiting. */
export async function checkAlerts(options: CheckAlertsOptions): Promise<void> {
  const { db, tickMs, stopping, onChecked } = options;
  const failures: unknown[] = [];
  for (const workspaceId of await workspacesDue(db, tickMs)) {
    if (stopping.aborted) break;
    try {
      const own = await db.of(workspaceId);
      failures.push(...(await refreshPast({ ...options, db: own }, workspaceId)));
      const checked = await transaction(own, (trx) => checkRules(trx, workspaceId, { tickMs }));
      for (let i = 0; i < checked; i += 1) onChecked();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "Rules of some workspaces were not checked");
}

/**
 * Computes what the past says of rules, once an hour, before the rules are locked: it reads two weeks. A rule whose past cannot be read
 * now keeps the one it has, and its failure is returned: the other rules are checked all the same.
 */
async function refreshPast(options: CheckAlertsOptions, workspaceId: WorkspaceId): Promise<unknown[]> {
  const { db } = options;
  const nowMs = Date.now();
  const failures: unknown[] = [];
  for (const rule of await readRules(db, workspaceId)) {
    if (rule.pastAt !== null && nowMs - Date.parse(rule.pastAt) < PAST_MINUTES * 60_000) continue;
    try {
      const past = await readPast(options, workspaceId, conditionOf(rule), { nowMs, before: rule.past });
      // If the rule was changed meanwhile, its past is unknown again.
      await sql`
        update alert_rules set past = ${JSON.stringify(past)}::jsonb, past_at = now()
        where workspace_id = ${workspaceId} and id = ${rule.id} and condition = ${JSON.stringify(rule.condition)}::jsonb
          and agent is not distinct from ${rule.agent}`.execute(db);
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}
