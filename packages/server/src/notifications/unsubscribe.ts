import type { NotificationKind } from "@whytrace/contract/schemas/issues/notifications";
import { sql } from "kysely";
import { hashToken, randomToken } from "../auth/random-token.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { changeMailSettings } from "./notification-settings.ts";

/** Creates the token of a link that ends mails of these kinds for a member, and does nothing else. */
export async function issueUnsubscribeToken(
  trx: Database,
  workspaceId: WorkspaceId,
  userId: string,
  kinds: readonly NotificationKind[],
): Promise<string> {
  const token = randomToken();
  await sql`
    insert into unsubscribe_tokens (token_hash, user_id, workspace_id, kinds)
    values (${hashToken(token)}, ${userId}, ${workspaceId}, ${kinds}::text[])`.execute(trx);
  return token;
}

/** Ends the mails that a token is for. It may be used again. Returns false if there is no such token. */
export async function unsubscribe(db: Database, token: string): Promise<boolean> {
  const { rows } = await sql<{ userId: string; workspaceId: WorkspaceId; kinds: NotificationKind[] }>`
    select user_id, workspace_id, kinds from unsubscribe_tokens where token_hash = ${hashToken(token)}`.execute(
    db,
  );
  const [found] = rows;
  if (!found) return false;
  const ended = Object.fromEntries(found.kinds.map((kind) => [kind, false]));
  await changeMailSettings(db, found.workspaceId, found.userId, ended);
  return true;
}
