import { sql } from "kysely";
import type { Database } from "../db/database.ts";

const KEPT_DAYS = 90;

/** Deletes incidents that ended long ago, and maintenance that is over. */
export async function sweepIncidents(db: Database): Promise<void> {
  await sql`
    delete from alert_incidents
    where ended_at is not null and started_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  await sql`delete from alert_maintenance where to_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  );
}
