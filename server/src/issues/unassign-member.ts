import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { lockIssues } from "./lock-issues.ts";

/** Takes all issues from a person who leaves the workspace, in the transaction of the leaving. `by`: who removed them. */
export async function unassignMember(
  trx: Database,
  workspaceId: WorkspaceId,
  { userId, by }: { userId: string; by: string },
): Promise<void> {
  await lockIssues(trx, workspaceId);
  const { rows } = await sql<{ number: number }>`
    update issues set assignee_id = null
    where workspace_id = ${workspaceId} and assignee_id = ${userId}::uuid returning number`.execute(trx);
  if (rows.length === 0) return;
  const entries = rows.map(({ number }) => ({ number, id: randomUUID() }));
  await sql`
    insert into issue_timeline (workspace_id, number, id, kind, by_user, details)
    select ${workspaceId}::uuid, number, id, 'assigned', ${by}::uuid, '{"assigneeId": null}'::jsonb
    from json_to_recordset(${JSON.stringify(entries)}::json) as entry (number integer, id uuid)`.execute(trx);
}
