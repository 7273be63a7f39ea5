import type { NotificationSettings } from "@whytrace/contract/schemas/issues/notifications";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

type MailSettings = NotificationSettings["mail"];

/** Who gets mails about a workspace. */
export interface Recipient extends MailSettings {
  id: string;
  email: string;
}

const ALL: MailSettings = { newIssues: true, regressions: true, assigned: true, alerts: true };
const COLUMNS = sql.raw("new_issues, regressions, assigned, alerts");

/** Which mails a member wants. */
export async function readMailSettings(
  db: Database,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<MailSettings> {
  const { rows } = await sql<MailSettings>`
    select ${COLUMNS} from notification_settings
    where user_id = ${userId} and workspace_id = ${workspaceId}`.execute(db);
  return rows[0] ?? ALL;
}

/** Changes the fields that are given. */
export async function changeMailSettings(
  db: Database,
  workspaceId: WorkspaceId,
  userId: string,
  { newIssues = null, regressions = null, assigned = null, alerts = null }: ChangedMailSettings,
): Promise<MailSettings> {
  const { rows } = await sql<MailSettings>`
    insert into notification_settings as stored (user_id, workspace_id, ${COLUMNS})
    values (${userId}, ${workspaceId}, coalesce(${newIssues}::boolean, true), coalesce(${regressions}::boolean, true),
      coalesce(${assigned}::boolean, true), coalesce(${alerts}::boolean, true))
    on conflict (user_id, workspace_id) do update set new_issues = coalesce(${newIssues}::boolean, stored.new_issues),
      regressions = coalesce(${regressions}::boolean, stored.regressions),
      assigned = coalesce(${assigned}::boolean, stored.assigned), alerts = coalesce(${alerts}::boolean, stored.alerts)
    returning ${COLUMNS}`.execute(db);
  return rows[0] ?? ALL;
}

type ChangedMailSettings = { [Kind in keyof MailSettings]?: boolean | null | undefined };

/** The members whose address is verified, in the order of their ids. */
export async function listRecipients(db: Database, workspaceId: WorkspaceId): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select users.id, users.email, coalesce(new_issues, true) as new_issues, coalesce(regressions, true) as regressions,
      coalesce(assigned, true) as assigned, coalesce(alerts, true) as alerts
    from memberships join users on users.id = memberships.user_id
      left join notification_settings as settings
        on settings.user_id = memberships.user_id and settings.workspace_id = memberships.workspace_id
    where memberships.workspace_id = ${workspaceId} and users.email_verified_at is not null
    order by users.id`.execute(db);
  return rows;
}
