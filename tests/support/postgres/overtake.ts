import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../../../packages/server/src/db/database.ts";

/**
 * Starts a request that waits for the lock of a workspace, makes a change meanwhile, and returns the response: the request has read
 * everything before its lock when the change comes.
 */
export async function overtake<T>(
  db: Database,
  workspaceId: string,
  { request, change }: { request: () => Promise<T>; change: (trx: Database) => Promise<unknown> },
): Promise<T> {
  const started = await db.transaction(async (trx) => {
    await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(trx);
    const response = request();
    while (!(await isWaiting(db))) await sleep(10);
    await change(trx);
    return { response };
  });
  return started.response;
}

async function isWaiting(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%from workspaces%'`.execute(
    db,
  );
  return rows.length > 0;
}
