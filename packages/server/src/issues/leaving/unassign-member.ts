import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { isMember } from "../../workspaces/list-members.ts";
import { lockIssues } from "../lock-issues.ts";

/**
 * Takes all issues from a person who has left the workspace. Call it after the leaving has committed: whoever assigns an issue looks for
 * the member behind the same lock, so nobody is assigned after they left. `by`: who removed them, if it is known.
 */
export async function unassignMember(
  db: Database,
  workspaceId: WorkspaceId,
  { userId, by }: { userId: string; by?: string | undefined },
): Promise<void> {
  await transaction(await db.of(workspaceId), async (trx) => {
    await lockIssues(trx, workspaceId);
    if (await isMember(trx.directory, workspaceId, userId)) return;
    const { rows } = await sql<{ number: number }>`
      update issues set assignee_id = null
      where workspace_id = ${workspaceId} and assignee_id = ${userId}::uuid returning number`.execute(trx);
    if (rows.length === 0) return;
    const entries = rows.map(({ number }) => ({ number, id: randomUUID() }));
    await sql`
      insert into issue_timeline (workspace_id, number, id, kind, by_user, details)
      select ${workspaceId}::uuid, number, id, 'assigned', ${by ?? null}::uuid, '{"assigneeId": null}'::jsonb
      from json_to_recordset(${JSON.stringify(entries)}::json) as entry (number integer, id uuid)`.execute(
      trx,
    );
  });
}
