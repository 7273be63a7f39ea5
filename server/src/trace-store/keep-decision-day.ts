import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** The facts of the traces that started on a day, added up. */
export interface AddedDay {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  /** Of the user's totals, read in the same snapshot as the facts. */
  version: number;
  choices: Buffer;
  transitions: Buffer;
  errors: Buffer;
}

/**
 * Stores the figures of a day, unless one of its traces changed since they were read: such a change has a higher version,
 * because versions are given out while the user's totals are locked. Returns false if they were not stored.
 */
export async function keepDecisionDay(db: Database, userId: string, added: AddedDay): Promise<boolean> {
  const { day, version, choices, transitions, errors } = added;
  const { numAffectedRows = 0n } = await sql`
    update decision_days
    set added = ${version}, choices = ${choices}, transitions = ${transitions}, errors = ${errors}
    where user_id = ${userId} and day = ${day}::date and changed <= ${version} and added < ${version}`.execute(
    db,
  );
  return numAffectedRows > 0n;
}
