import { sql } from "kysely";
import type { Database } from "../db/database.ts";

const KEPT_BODY_DAYS = 7;
const KEPT_DAYS = 30;

/** Erases bodies after a week, and deletes the log of deliveries after 30 days. */
export async function sweepDeliveries(db: Database): Promise<void> {
  const olderThan = (column: string, days: number) =>
    sql`${sql.raw(column)} < now() - make_interval(days => ${days})`;
  await sql`
    update alert_deliveries set request = null
    where request is not null and ${olderThan("created_at", KEPT_BODY_DAYS)}`.execute(db);
  await sql`
    update alert_events set payload = null
    where payload is not null and ${olderThan("at", KEPT_BODY_DAYS)}`.execute(db);
  await sql`delete from delivery_attempts where ${olderThan("at", KEPT_DAYS)}`.execute(db);
  await sql`delete from alert_deliveries where ${olderThan("created_at", KEPT_DAYS)}`.execute(db);
  await sql`delete from alert_events where ${olderThan("at", KEPT_DAYS)}`.execute(db);
}
