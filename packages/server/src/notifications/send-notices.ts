import type { NotificationKind } from "@whytrace/contract/schemas/issues/notifications";
import { sql } from "kysely";
import type { RateLimit } from "../config.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { readWorkspaceAddress, type WorkspaceAddress } from "../workspaces/workspace-address.ts";
import { composeNotice, type NoticeContent } from "./compose-notice.ts";
import { mailIdOf, type Notice, noticeIdOf } from "./notice.ts";
import { listRecipients, type Recipient } from "./notification-settings.ts";
import { issueUnsubscribeToken } from "./unsubscribe.ts";

const MAX_NOTICES = 50;
/** Mails of these kinds are limited: what is above becomes a digest. */
const LIMITED_KINDS: readonly NotificationKind[] = ["newIssues", "regressions"];

export type DescribedNotice = Pick<Notice, "type" | "subject" | "payload">;

/** Says what a mail about a notice says; undefined if its subject is gone. */
type DescribeNotice = (
  db: Database,
  workspaceId: WorkspaceId,
  notice: DescribedNotice,
) => Promise<NoticeContent | undefined>;

export interface SendNoticesOptions {
  db: Database;
  publicUrl: string;
  /** So many mails about issues a member gets in a window. */
  burst: RateLimit;
  describe: DescribeNotice;
  /** Without a mail server notices are dropped: nobody would ever send them. */
  hasMailServer: boolean;
  stopping: AbortSignal;
}

/** Hands the notices of all workspaces over to the outbox. */
export async function sendNotices(options: SendNoticesOptions): Promise<void> {
  const { db, stopping } = options;
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select distinct workspace_id from mail_notices`.execute(db);
  for (const { workspaceId } of rows) {
    const own = await db.of(workspaceId);
    for (let count = MAX_NOTICES; count === MAX_NOTICES && !stopping.aborted; )
      count = await transaction(own, (trx) => handOver(trx, workspaceId, options));
  }
}

/**
 * Hands over notices of a workspace and deletes them, in one transaction that locks them. Ids of mails follow from notice and member,
 * so a notice whose transaction was rolled back after the mail was queued is not mailed again. Returns how many there were.
 */
async function handOver(
  trx: Database,
  workspaceId: WorkspaceId,
  options: SendNoticesOptions,
): Promise<number> {
  const { rows: notices } = await sql<Notice>`
    select id, kind, type, subject, sequence, recipient_id, payload from mail_notices
    where workspace_id = ${workspaceId} order by created_at, subject, sequence, id limit ${MAX_NOTICES} for update`.execute(
    trx,
  );
  if (notices.length === 0) return 0;
  const members = options.hasMailServer ? await listRecipients(trx.directory, workspaceId) : [];
  const workspace = await readWorkspaceAddress(trx.directory, workspaceId, options.publicUrl);
  for (const notice of notices) {
    const recipients = members.filter(
      (member) => member[notice.kind] && (notice.recipientId === null || notice.recipientId === member.id),
    );
    const content = recipients.length > 0 && (await options.describe(trx, workspaceId, notice));
    if (!content) continue;
    for (const member of recipients)
      await tellMember(trx.directory, workspaceId, { member, notice, content, workspace }, options);
  }
  await sql`
    delete from mail_notices where workspace_id = ${workspaceId}
      and id = any(${notices.map(({ id }) => id)}::uuid[])`.execute(trx);
  return notices.length;
}

async function tellMember(
  db: Database,
  workspaceId: WorkspaceId,
  {
    member,
    notice,
    content,
    workspace,
  }: { member: Recipient; notice: Notice; content: NoticeContent; workspace: WorkspaceAddress },
  { publicUrl, burst }: SendNoticesOptions,
): Promise<void> {
  const state = await recordNotice(db, workspaceId, member.id, notice, burst);
  if (state !== "mailed") return;
  const firstId = noticeIdOf(workspaceId, notice.subject, 1);
  const mail = composeNotice(content, {
    id: mailIdOf(notice.id, member.id),
    recipient: member.email,
    publicUrl,
    workspace,
    unsubscribeToken: await issueUnsubscribeToken(db, workspaceId, member.id, [notice.kind]),
    threadId: notice.id === firstId ? undefined : mailIdOf(firstId, member.id),
  });
  await queueMail(db, mail);
}

/** Decides, once, whether a member gets a mail now or in a digest. */
async function recordNotice(
  db: Database,
  workspaceId: WorkspaceId,
  userId: string,
  { id, kind, type, subject }: Notice,
  { limit, windowMs }: RateLimit,
): Promise<string | undefined> {
  const isLimited = LIMITED_KINDS.includes(kind);
  const ofMember = sql`user_id = ${userId} and workspace_id = ${workspaceId}`;
  const { rows: inserted } = await sql<{ state: string }>`
    insert into member_notices (user_id, workspace_id, notice_id, kind, type, subject, state, due_at)
    select ${userId}::uuid, ${workspaceId}::uuid, ${id}::uuid, ${kind}, ${type}, ${subject},
      case when is_room then 'mailed' else 'held' end, case when not is_room then ends_at end
    from (
      select not ${isLimited}::boolean or (count(*) filter (where state = 'mailed') < ${limit}
          and count(*) filter (where state = 'held') = 0) as is_room,
        coalesce(min(due_at), min(created_at) + ${windowMs} * interval '1 millisecond') as ends_at
      from member_notices
      where ${ofMember} and kind = any(${LIMITED_KINDS}::text[]) and (state = 'held'
        or (state = 'mailed' and created_at > now() - ${windowMs} * interval '1 millisecond'))) as recent
    on conflict (user_id, workspace_id, notice_id) do nothing returning state`.execute(db);
  if (inserted[0]) return inserted[0].state;
  const { rows: before } = await sql<{ state: string }>`
    select state from member_notices where ${ofMember} and notice_id = ${id}`.execute(db);
  return before[0]?.state;
}
