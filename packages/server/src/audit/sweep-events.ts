import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";

const CHUNK = 5_000;

/** Lets this transaction delete events, which a trigger refuses to all others. */
export async function permitSweep(trx: Database): Promise<void> {
  await sql`select set_config('whytrace.audit_sweep', 'on', true)`.execute(trx);
}

/** Deletes events that are older than so many days, a part of them at a time. */
export async function sweepEvents(db: Database, days: number): Promise<void> {
  for (let deleted = CHUNK; deleted === CHUNK; )
    deleted = await transaction(db, async (trx) => {
      await permitSweep(trx);
      const { rows } = await sql`
        delete from audit_events where (workspace_id, position) in (
          select workspace_id, position from audit_events
          where at < now() - ${days} * interval '1 day' order by at limit ${CHUNK})
        returning position`.execute(trx);
      return rows.length;
    });
}
