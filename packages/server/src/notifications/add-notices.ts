import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { type Notice, noticeIdOf } from "./notice.ts";

/** Writes what members are told, in the transaction of the change: a worker hands it over to the outbox after the commit. */
export async function addNotices(
  trx: Database,
  workspaceId: WorkspaceId,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return;
  await sql`
    insert into mail_notices (workspace_id, id, kind, type, subject, sequence, recipient_id, payload)
    select ${workspaceId}::uuid, id, kind, type, subject, sequence, "recipientId", payload
    from json_to_recordset(${JSON.stringify(notices)}::json) as added (id uuid, kind text, type text, subject text,
      sequence integer, "recipientId" uuid, payload jsonb)
    on conflict (workspace_id, id) do nothing`.execute(trx);
}

/** Writes that members are told about events of rules. */
export const addAlertNotices = (
  trx: Database,
  workspaceId: WorkspaceId,
  events: readonly Pick<Notice, "type" | "subject" | "sequence" | "payload">[],
): Promise<void> =>
  addNotices(
    trx,
    workspaceId,
    events.map(({ type, subject, sequence, payload }) => ({
      id: noticeIdOf(workspaceId, subject, sequence),
      kind: "alerts",
      type,
      subject,
      sequence,
      recipientId: null,
      payload,
    })),
  );

/** Deletes all notices of a workspace that is deleted. */
export async function deleteNotices(db: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from mail_notices where workspace_id = ${workspaceId}`.execute(db);
}
