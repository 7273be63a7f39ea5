import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** The decision facts of the traces that started on a day, aggregated. */
export interface DecisionDay {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  /** Of the workspace's totals, read in the same snapshot as the facts. */
  version: number;
  choices: Buffer;
  transitions: Buffer;
  errors: Buffer;
}

/**
 * Stores the figures of a day, unless one of its traces changed since they were read: such a change has a higher version,
 * because versions are given out while the workspace's totals are locked. Returns false if they were not stored.
 */
export async function storeDecisionDay(
  db: Database,
  workspaceId: WorkspaceId,
  decisionDay: DecisionDay,
): Promise<boolean> {
  const { day, version, choices, transitions, errors } = decisionDay;
  const { numAffectedRows = 0n } = await sql`
    update decision_days
    set added = ${version}, choices = ${choices}, transitions = ${transitions}, errors = ${errors}
    where workspace_id = ${workspaceId} and day = ${day}::date and changed <= ${version} and added < ${version}`.execute(
    db,
  );
  return numAffectedRows > 0n;
}
