import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Erases messages that name these runs, in the transaction that deletes the runs. What was not sent yet is dropped. */
export async function eraseEvents(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update alert_events set payload = null
    where workspace_id = ${workspaceId} and trace_id = any(${traceIds}::text[]) and payload is not null
    returning id`.execute(trx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const { rows: erased } = await sql<{ id: string; digestId: string | null }>`
    update alert_deliveries set request = null,
      state = case when state in ('waiting', 'retrying') and digest_id is null then 'dropped' else state end
    where workspace_id = ${workspaceId} and event_id = any(${ids}::uuid[]) returning id, digest_id`.execute(
    trx,
  );
  // Messages that a dropped one carried are sent without it.
  await sql`
    update alert_deliveries set digest_id = null, next_attempt_at = now()
    where workspace_id = ${workspaceId} and state = 'waiting' and digest_id in (
      select id from alert_deliveries
      where workspace_id = ${workspaceId} and id = any(${erased.map(({ id }) => id)}::uuid[]) and state = 'dropped')`.execute(
    trx,
  );
  const digests = erased.flatMap(({ digestId }) => digestId ?? []);
  if (digests.length > 0)
    await sql`
      update alert_deliveries set request = null
      where workspace_id = ${workspaceId} and id = any(${digests}::uuid[])`.execute(trx);
}
