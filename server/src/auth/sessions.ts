import type { SignIn, User } from "@whytrace/contract";
import { sql } from "kysely";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { unlessReadOnly } from "../db/unless-read-only.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { hashToken, randomToken } from "./random-token.ts";
import { SESSION_SECONDS } from "./session-cookie.ts";
import type { UserId } from "./user-id.ts";

/** The user of a session. */
export type SessionUser = User & { id: UserId };

/** The session of the current request. */
export interface CurrentSession {
  id: string;
  user: SessionUser;
  workspaceId: WorkspaceId;
  expiresAt: string;
}

export interface NewSession {
  userId: UserId;
  /** The hash that the password was verified against. */
  passwordHash: string;
  userAgent: string | undefined;
}

/**
 * Creates a session and returns its token, of which only a hash is stored. Returns undefined if the password has
 * changed since it was verified: the row lock orders this and a password change, so no session survives the change.
 */
export async function createSession(
  db: Database,
  { userId, passwordHash, userAgent }: NewSession,
): Promise<string | undefined> {
  const token = randomToken();
  const { rows } = await sql`
    insert into sessions (user_id, token_hash, user_agent, expires_at)
    select id, ${hashToken(token)}, ${userAgent?.slice(0, 512) ?? null}, now() + ${SESSION_SECONDS} * interval '1 second'
    from users where id = ${userId} and password_hash = ${passwordHash} for share
    returning id`.execute(db);
  return rows.length > 0 ? token : undefined;
}

interface FoundSession extends SessionUser {
  workspaceId: WorkspaceId;
  tokenHash: string;
  sessionId: string;
  expiresAt: string;
  isRecentlySeen: boolean;
}

/** Batched, so that a crowd with forged cookies does not take the connections of those who are signed in. */
const readSession = batchedRead(async (db, hashes) => {
  const { rows } = await sql<FoundSession>`
    select encode(sessions.token_hash, 'hex') as token_hash, sessions.id as session_id, sessions.expires_at,
           sessions.last_seen_at > now() - interval '1 minute' as is_recently_seen,
           memberships.workspace_id, users.id, users.email, users.name, users.created_at,
           users.email_verified_at is not null as is_email_verified
    from sessions join users on users.id = sessions.user_id
      join memberships on memberships.user_id = users.id
    where sessions.token_hash = any(${hashes.map((hash) => Buffer.from(hash, "hex"))}::bytea[])
      and sessions.expires_at > now()`.execute(db);
  return new Map(rows.map((row) => [row.tokenHash, row]));
});

export async function findSession(db: Database, token: string): Promise<CurrentSession | undefined> {
  const row = await readSession(db, hashToken(token).toString("hex"));
  if (!row) return undefined;
  const { tokenHash: _, sessionId, workspaceId, expiresAt, isRecentlySeen, ...user } = row;
  if (!isRecentlySeen)
    await unlessReadOnly(sql`update sessions set last_seen_at = now() where id = ${sessionId}`.execute(db));
  return { id: sessionId, user, workspaceId, expiresAt };
}

/** Prevents a session from being ended until the transaction ends; returns false if it already was. */
export async function lockSession(trx: Database, sessionId: string): Promise<boolean> {
  const { rows } = await sql`select id from sessions where id = ${sessionId} for share`.execute(trx);
  return rows.length > 0;
}

export async function listSignIns(db: Database, { id, user }: CurrentSession): Promise<SignIn[]> {
  const { rows } = await sql<SignIn>`
    select id, created_at, last_seen_at, expires_at, user_agent, id = ${id} as is_current
    from sessions where user_id = ${user.id} and expires_at > now()
    order by last_seen_at desc, id`.execute(db);
  return rows;
}

/** Ends one of the user's sessions; returns false if the user has no session with this id. */
export async function endSession(db: Database, userId: UserId, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from sessions where user_id = ${userId} and id::text = ${sessionId} returning id`.execute(db);
  return rows.length > 0;
}

/** Ends the session that a browser presents when it signs in again: nobody could end it later from this browser. */
export async function endPresentedSession(db: Database, token: string | undefined): Promise<void> {
  if (token) await sql`delete from sessions where token_hash = ${hashToken(token)}`.execute(db);
}

/** Ends all of the user's sessions, except one if given. */
export async function endSessions(db: Database, userId: UserId, exceptSessionId?: string): Promise<void> {
  await sql`
    delete from sessions
    where user_id = ${userId} and id is distinct from ${exceptSessionId ?? null}::uuid`.execute(db);
}

/** Returns those of the given sessions that still exist and have not expired. */
export async function findActiveSessions(db: Database, sessionIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id = any(${sessionIds}::uuid[]) and expires_at > now()`.execute(db);
  return new Set(rows.map((row) => row.id));
}

export async function sweepSessions(db: Database): Promise<void> {
  await sql`delete from sessions where expires_at <= now()`.execute(db);
}
