import type { CreatedInvitation, Role } from "@whytrace/contract";
import { RESEND_SECONDS } from "@whytrace/contract";
import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import { hashToken, randomToken } from "../auth/random-token.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { mailDelivery } from "../mail/mail-delivery.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { lockMember } from "../workspaces/lock-workspace.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { INVITATION_DAYS, invitationMail } from "./invitation-mail.ts";
import { ONLY_OWNER_MAKES } from "./parse-role.ts";

export const UNVERIFIED_INVITER = "Verify your email address before you invite others.";
const MAX_PENDING_INVITATIONS = 100;
export const TOO_MANY_INVITATIONS = `Invitation limit reached (${MAX_PENDING_INVITATIONS} pending)`;
export const INVITATION_NOT_FOUND = "Invitation not found";
export const SENT_JUST_NOW = "This invitation was sent a moment ago";
const MAX_MAILS = 5;
export const SENT_OFTEN = `Sent ${MAX_MAILS} times. Copy a new link instead.`;

/** To one address from the whole server. */
const MAILS_PER_DAY = 3;
const ONE_DAY_MS = 24 * 3_600_000;

export interface InvitationOptions {
  db: Database;
  limiter: RateLimiter;
  config: Pick<Config, "publicUrl" | "smtpUrl" | "rateLimits">;
}

type Created = Omit<CreatedInvitation, "url" | "mailed" | "invitedBy">;
const COLUMNS = sql.raw("id, email, role, created_at, expires_at, false as is_expired");
const EXPIRES = sql.raw(`now() + interval '${INVITATION_DAYS} days'`);

/** Invites an address. The link in the response and that in the mail have different tokens: only the mailed one proves the address. */
export async function createInvitation(
  options: InvitationOptions,
  session: MemberSession,
  { email, role }: { email: string; role: Role },
  origin: Origin,
): Promise<CreatedInvitation> {
  const { workspaceId, user } = session;
  if (!user.isEmailVerified) throw new HttpError(403, UNVERIFIED_INVITER);
  if (role === "owner" && session.role !== "owner") throw new HttpError(403, ONLY_OWNER_MAKES);
  await admitInvitation(options, session);
  const mailed = await isMailAdmitted(options, email);
  const tokens = { mail: randomToken(), link: randomToken() };
  return transaction(options.db, async (trx) => {
    const own = await lockMember(trx, { workspaceId, userId: user.id, needed: "admin" });
    if (role === "owner" && own !== "owner") throw new HttpError(403, ONLY_OWNER_MAKES);
    await requireNew(trx, workspaceId, email);
    const { rows } = await sql<Created>`
      insert into invitations
        (workspace_id, email, role, invited_by, mail_token_hash, link_token_hash, mails, expires_at)
      values (${workspaceId}, ${email}, ${role}, ${user.id}, ${hashToken(tokens.mail)}, ${hashToken(tokens.link)},
        ${mailed ? 1 : 0}, ${EXPIRES})
      returning ${COLUMNS}`.execute(trx);
    const [created] = rows;
    if (!created) throw new Error("The invitation was not created");
    if (mailed) await mailInvitation(trx, options, session, { ...created, token: tokens.mail });
    const target = { kind: "invitation", id: created.id, name: email };
    await recordEvent(trx, workspaceId, origin, {
      action: "invitation.created",
      target,
      details: { role, mailed },
    });
    return { ...created, invitedBy: nameOf(session), url: linkOf(options, tokens.link), mailed };
  });
}

/** Makes new links, which end the earlier ones, and mails one of them unless told otherwise. */
export async function resendInvitation(
  options: InvitationOptions,
  session: MemberSession,
  { id, isMailed }: { id: string; isMailed: boolean },
  origin: Origin,
): Promise<CreatedInvitation> {
  const { workspaceId, user } = session;
  const email = await findPending(options.db, workspaceId, id);
  if (!user.isEmailVerified) throw new HttpError(403, UNVERIFIED_INVITER);
  await admitInvitation(options, session);
  const mailed = isMailed && (await isMailAdmitted(options, email));
  const tokens = { mail: randomToken(), link: randomToken() };
  return transaction(options.db, async (trx) => {
    const own = await lockMember(trx, { workspaceId, userId: user.id, needed: "admin" });
    const { rows: pending } = await sql<{ role: Role; mails: number; waitSeconds: number | null }>`
      select role, mails,
        ceil(extract(epoch from resent_at - now()) + ${RESEND_SECONDS})::integer as wait_seconds
      from invitations
      where workspace_id = ${workspaceId} and id::text = ${id} and used_at is null for update`.execute(trx);
    const [before] = pending;
    if (!before) throw new HttpError(404, INVITATION_NOT_FOUND);
    if (before.role === "owner" && own !== "owner") throw new HttpError(403, ONLY_OWNER_MAKES);
    const { waitSeconds } = before;
    if (waitSeconds !== null && waitSeconds > 0) throw HttpError.tooManyRequests(SENT_JUST_NOW, waitSeconds);
    if (isMailed && before.mails >= MAX_MAILS) throw new HttpError(409, SENT_OFTEN);
    const { rows } = await sql<Created>`
      update invitations set mail_token_hash = ${hashToken(tokens.mail)}, link_token_hash = ${hashToken(tokens.link)},
        invited_by = ${user.id}, mails = mails + ${mailed ? 1 : 0}, resent_at = now(), expires_at = ${EXPIRES}
      where workspace_id = ${workspaceId} and id::text = ${id} returning ${COLUMNS}`.execute(trx);
    const [sent] = rows;
    if (!sent) throw new HttpError(404, INVITATION_NOT_FOUND);
    if (mailed) await mailInvitation(trx, options, session, { ...sent, token: tokens.mail });
    const target = { kind: "invitation", id: sent.id, name: sent.email };
    await recordEvent(trx, workspaceId, origin, { action: "invitation.resent", target, details: { mailed } });
    return { ...sent, invitedBy: nameOf(session), url: linkOf(options, tokens.link), mailed };
  });
}

/** Returns false if the workspace has no such invitation. */
export function revokeInvitation(
  db: Database,
  { workspaceId, user }: MemberSession,
  id: string,
  origin: Origin,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    await lockMember(trx, { workspaceId, userId: user.id, needed: "admin" });
    const { rows } = await sql<{ id: string; email: string }>`
      delete from invitations where workspace_id = ${workspaceId} and id::text = ${id} and used_at is null
      returning id, email`.execute(trx);
    const [revoked] = rows;
    if (!revoked) return false;
    const target = { kind: "invitation", id: revoked.id, name: revoked.email };
    await recordEvent(trx, workspaceId, origin, { action: "invitation.revoked", target });
    return true;
  });
}

function admitInvitation({ limiter, config }: InvitationOptions, { workspaceId, user }: MemberSession) {
  const { invite } = config.rateLimits;
  return limiter.admit([
    { ...invite, name: "invite", subject: workspaceId },
    { ...invite, name: "invite", subject: user.id },
  ]);
}

/** Whether a mail goes to the address: it may be a stranger's. */
async function isMailAdmitted({ limiter, config }: InvitationOptions, email: string): Promise<boolean> {
  if (mailDelivery(config.smtpUrl) === "none") return false;
  try {
    await limiter.admit([
      { name: "invitation-mail", subject: email, limit: MAILS_PER_DAY, windowMs: ONE_DAY_MS },
    ]);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}

async function findPending(db: Database, workspaceId: WorkspaceId, id: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`
    select email from invitations
    where workspace_id = ${workspaceId} and id::text = ${id} and used_at is null`.execute(db);
  const [pending] = rows;
  if (!pending) throw new HttpError(404, INVITATION_NOT_FOUND);
  return pending.email;
}

/** Throws 409 for members and invited people. An expired invitation makes room for a new one. */
async function requireNew(trx: Database, workspaceId: WorkspaceId, email: string) {
  const { rows: members } = await sql`
    select memberships.user_id from memberships join users on users.id = memberships.user_id
    where memberships.workspace_id = ${workspaceId} and users.email = ${email}`.execute(trx);
  if (members.length > 0) throw new HttpError(409, `${email} is already a member.`);
  await sql`
    delete from invitations
    where workspace_id = ${workspaceId} and email = ${email} and used_at is null and expires_at <= now()`.execute(
    trx,
  );
  const { rows } = await sql<{ email: string }>`
    select email from invitations
    where workspace_id = ${workspaceId} and used_at is null and expires_at > now()`.execute(trx);
  if (rows.some((pending) => pending.email === email))
    throw new HttpError(409, `${email} is already invited.`);
  if (rows.length >= MAX_PENDING_INVITATIONS) throw new HttpError(409, TOO_MANY_INVITATIONS);
}

async function mailInvitation(
  trx: Database,
  { config: { publicUrl, ...config } }: InvitationOptions,
  { user, workspaceId }: MemberSession,
  { email, role, token }: Created & { token: string },
) {
  const { rows } = await sql<{ name: string }>`
    select name from workspaces where id = ${workspaceId}`.execute(trx);
  const url = linkOf({ config: { publicUrl, ...config } }, token);
  const workspace = rows[0]?.name ?? "";
  await queueMail(trx, invitationMail({ recipient: email, url, publicUrl, role, inviter: user, workspace }));
}

const nameOf = ({ user }: MemberSession) => user.name ?? user.email;
const linkOf = ({ config }: Pick<InvitationOptions, "config">, token: string) =>
  `${config.publicUrl}/invitation?token=${token}`;
