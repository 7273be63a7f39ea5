import type { NotificationKind } from "@whytrace/contract/schemas/issues/notifications";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { readWorkspaceAddress } from "../workspaces/workspace-address.ts";
import { composeDigest, type NoticeContent } from "./compose-notice.ts";
import { uuidOf } from "./notice.ts";
import { listRecipients } from "./notification-settings.ts";
import type { SendNoticesOptions } from "./send-notices.ts";
import { issueUnsubscribeToken } from "./unsubscribe.ts";

const MAX_HELD = 500;

interface Mailbox {
  userId: string;
  workspaceId: WorkspaceId;
}

interface HeldNotice {
  noticeId: string;
  kind: NotificationKind;
  type: string;
  subject: string;
}

/** Sends members one mail about what was held back, when their window is over. */
export async function sendDigests(options: SendNoticesOptions): Promise<void> {
  const { db, stopping } = options;
  const { rows } = await sql<Mailbox>`
    select distinct user_id, workspace_id from member_notices
    where state = 'held' and due_at <= now() order by user_id, workspace_id limit 1000`.execute(db);
  for (const mailbox of rows) {
    if (stopping.aborted) return;
    await transaction(db, (trx) => sendDigest(trx, mailbox, options));
  }
}

/** The rows stay locked until the commit, so two processes send one digest. */
async function sendDigest(
  trx: Database,
  { userId, workspaceId }: Mailbox,
  { db, publicUrl, describe }: SendNoticesOptions,
): Promise<void> {
  const { rows: held } = await sql<HeldNotice>`
    select notice_id, kind, type, subject from member_notices
    where user_id = ${userId} and workspace_id = ${workspaceId} and state = 'held'
    order by created_at, notice_id limit ${MAX_HELD} for update skip locked`.execute(trx);
  const [first] = held;
  if (!first) return;
  const member = (await listRecipients(trx, workspaceId)).find(({ id }) => id === userId);
  const wanted = held.filter(({ kind }) => member?.[kind]);
  const own = await db.of(workspaceId);
  const contents: NoticeContent[] = [];
  for (const { type, subject } of wanted) {
    const content = await describe(own, workspaceId, { type, subject, payload: null });
    if (content) contents.push(content);
  }
  if (member && contents.length > 0) {
    const kinds = [...new Set(wanted.map(({ kind }) => kind))];
    const mail = composeDigest(contents, {
      id: uuidOf("digest", first.noticeId, userId),
      recipient: member.email,
      publicUrl,
      workspace: await readWorkspaceAddress(trx, workspaceId, publicUrl),
      unsubscribeToken: await issueUnsubscribeToken(trx, workspaceId, userId, kinds),
    });
    await queueMail(trx, mail);
  }
  await sql`
    update member_notices set state = 'digested', due_at = null
    where user_id = ${userId} and workspace_id = ${workspaceId}
      and notice_id = any(${held.map(({ noticeId }) => noticeId)}::uuid[])`.execute(trx);
}
