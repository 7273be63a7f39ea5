import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { unassignMember } from "./unassign-member.ts";

const MAX_READ = 1_000;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

interface Log {
  warn(fields: object, message: string): void;
}

/** Takes all issues from a person whose leaving has committed. Never throws: what fails is left to `unassignLeavers`. */
export async function unassignLeaver(
  { db, log }: { db: Database; log: Log },
  workspaceId: WorkspaceId,
  left: { userId: string; by: string },
): Promise<void> {
  await unassignMember(db, workspaceId, left).catch((err: unknown) =>
    log.warn({ err }, "issues of a member who left are still assigned; will retry"),
  );
}

interface Assignee {
  workspaceId: WorkspaceId;
  userId: string;
}

/** Takes issues from people who left, of whom no process could take them then. */
export async function unassignLeavers(db: Database): Promise<void> {
  let last = { workspaceId: BEFORE_ALL, userId: BEFORE_ALL };
  for (;;) {
    const { rows } = await sql<Assignee>`
      select distinct workspace_id, assignee_id as user_id from issues
      where assignee_id is not null
        and (workspace_id, assignee_id) > (${last.workspaceId}::uuid, ${last.userId}::uuid)
      order by workspace_id, assignee_id limit ${MAX_READ}`.execute(db);
    for (const { workspaceId, userId } of await withoutMembership(db.directory, rows))
      await unassignMember(db, workspaceId, { userId });
    const next = rows.at(-1);
    if (rows.length < MAX_READ || !next) return;
    last = next;
  }
}

async function withoutMembership(directory: Database, assignees: Assignee[]): Promise<Assignee[]> {
  const { rows } = await sql<Assignee>`
    select assignee."workspaceId" as workspace_id, assignee."userId" as user_id
    from json_to_recordset(${JSON.stringify(assignees)}::json) as assignee ("workspaceId" uuid, "userId" uuid)
    where not exists (
      select from memberships
      where memberships.workspace_id = assignee."workspaceId" and memberships.user_id = assignee."userId")`.execute(
    directory,
  );
  return rows;
}
