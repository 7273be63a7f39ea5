import type { SignIn, User } from "@whytrace/contract/schemas/accounts";
import { sql } from "kysely";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { hasHash } from "../db/statements/has-hash.ts";
import { unlessReadOnly } from "../db/unless-read-only.ts";
import { readFactors, type WayToConfirm } from "./factors.ts";
import { isProofEnough, waysToConfirm } from "./proof.ts";
import { hashToken, randomToken } from "./random-token.ts";
import { SESSION_SECONDS } from "./session-cookie.ts";
import type { UserId } from "./user-id.ts";

/** The user of a session. */
export type SessionUser = User & { id: UserId };

/** For how long a proof of who it is counts for dangerous acts. */
const CONFIRMED_MINUTES = 10;

/** What is known about the sign-in of a session. */
export interface SignInProof {
  methods: string[];
  at: string;
  confirmedAt: string | null;
  /** Whether the person has proved in the last minutes who it is. */
  isConfirmed: boolean;
  /** How the person can prove it again, the best way first. Asks the database. */
  readWaysToConfirm: () => Promise<WayToConfirm[]>;
}

/** The session of the current request. */
export interface CurrentSession {
  id: string;
  user: SessionUser;
  expiresAt: string;
  signIn: SignInProof;
}

export interface NewSession {
  userId: UserId;
  /** The hash that the password was verified against; undefined if no password was. */
  passwordHash?: string | undefined;
  methods: string[];
  userAgent: string | undefined;
}

/**
 * Creates a session and returns its token, of which only a hash is stored. It is confirmed if the proof is enough for that.
 * Returns undefined if the proof is not enough to sign in any more, because the password has changed or a second factor was
 * added since it was verified: the row lock orders this and such changes, so no session survives them.
 */
export async function createSession(
  trx: Database,
  { userId, passwordHash, methods, userAgent }: NewSession,
): Promise<string | undefined> {
  const { rows } = await sql`
    select id from users
    where id = ${userId} and (${passwordHash ?? null}::text is null or password_hash = ${passwordHash ?? null})
    for share`.execute(trx);
  if (rows.length === 0) return undefined;
  const factors = await readFactors(trx, userId);
  if (!isProofEnough("sign-in", methods, factors)) return undefined;
  const token = randomToken();
  await sql`
    insert into sessions (user_id, token_hash, user_agent, methods, confirmed_at, expires_at)
    values (${userId}, ${hashToken(token)}, ${userAgent?.slice(0, 512) ?? null}, ${methods}::text[],
      case when ${isProofEnough("confirm", methods, factors)} then now() end,
      now() + ${SESSION_SECONDS} * interval '1 second')`.execute(trx);
  return token;
}

/**
 * Creates a session for another program of the same person, with what this one has proved: its methods, when the person signed in
 * and when they last confirmed it. A copy of a copy … ends 14 days after the sign-in, at the latest. Undefined if the session has
 * ended.
 */
export async function copySession(
  trx: Database,
  sessionId: string,
  userAgent: string,
): Promise<{ token: string; expiresAt: string } | undefined> {
  const token = randomToken();
  const { rows } = await sql<{ expiresAt: string }>`
    insert into sessions (user_id, token_hash, user_agent, methods, created_at, confirmed_at, expires_at)
    select user_id, ${hashToken(token)}, ${userAgent}, methods, created_at, confirmed_at,
      least(now() + ${SESSION_SECONDS} * interval '1 second', created_at + 2 * ${SESSION_SECONDS} * interval '1 second')
    from sessions where id = ${sessionId} and expires_at > now()
    for share
    returning expires_at`.execute(trx);
  const [created] = rows;
  return created && { token, expiresAt: created.expiresAt };
}

/** A row with SESSION_COLUMNS. */
export interface FoundSession extends SessionUser {
  tokenHash: string;
  sessionId: string;
  signedInAt: string;
  expiresAt: string;
  methods: string[];
  confirmedAt: string | null;
  isConfirmed: boolean;
  isRecentlySeen: boolean;
}

/** What is read of `sessions` and `users` with every request. */
export const SESSION_COLUMNS = sql.raw(`
  encode(sessions.token_hash, 'hex') as token_hash, sessions.id as session_id, sessions.expires_at,
  sessions.created_at as signed_in_at, sessions.methods, sessions.confirmed_at,
  coalesce(sessions.confirmed_at > now() - interval '${CONFIRMED_MINUTES} minutes', false) as is_confirmed,
  sessions.last_seen_at > now() - interval '1 minute' as is_recently_seen,
  users.id, users.email, users.name, users.created_at, users.email_verified_at is not null as is_email_verified`);

/** Batched, so that a crowd with forged cookies does not take the connections of those who are signed in. */
const readSession = batchedRead(async (db, hashes) => {
  const { rows } = await sql<FoundSession>`/* prepared */
    select ${SESSION_COLUMNS}
    from sessions join users on users.id = sessions.user_id
    where ${hasHash("sessions.token_hash", hashes)} and sessions.expires_at > now()`.execute(db);
  return new Map(rows.map((row) => [row.tokenHash, row]));
});

export async function findSession(db: Database, token: string): Promise<CurrentSession | undefined> {
  const row = await readSession(db, hashToken(token).toString("hex"));
  return row && useSession(db, row);
}

/** Records that the session was seen, at most once a minute. */
export async function useSession(db: Database, row: FoundSession): Promise<CurrentSession> {
  const { sessionId, signedInAt, expiresAt, isRecentlySeen, methods, confirmedAt, isConfirmed } = row;
  const { id, email, name, createdAt, isEmailVerified } = row;
  if (!isRecentlySeen)
    await unlessReadOnly(sql`update sessions set last_seen_at = now() where id = ${sessionId}`.execute(db));
  const user = { id, email, name, isEmailVerified, createdAt };
  const readWaysToConfirm = async () => waysToConfirm(await readFactors(db, id));
  const signIn = { methods, at: signedInAt, confirmedAt, isConfirmed, readWaysToConfirm };
  return { id: sessionId, user, expiresAt, signIn };
}

/** Records that the person of a session has just proved who it is. Returns false if this proof is not enough for that. */
export async function confirmSession(
  db: Database,
  { id, user }: Pick<CurrentSession, "id" | "user">,
  method: string,
): Promise<boolean> {
  if (!isProofEnough("confirm", [method], await readFactors(db, user.id))) return false;
  await sql`update sessions set confirmed_at = now() where id = ${id}`.execute(db);
  return true;
}

/** Records that the session was proved by a second factor that the person has just added. */
export async function addMethod(trx: Database, sessionId: string, method: string): Promise<void> {
  await sql`
    update sessions set confirmed_at = now(),
      methods = case when ${method} = any(methods) then methods else methods || ${method}::text end
    where id = ${sessionId}`.execute(trx);
}

/** Lets the person's other sessions confirm again who it is. */
export async function endOtherConfirmations(trx: Database, userId: UserId, sessionId: string): Promise<void> {
  await sql`
    update sessions set confirmed_at = null where user_id = ${userId} and id <> ${sessionId}`.execute(trx);
}

export async function readUser(db: Database, userId: UserId): Promise<SessionUser | undefined> {
  const { rows } = await sql<SessionUser>`
    select id, email, name, created_at, email_verified_at is not null as is_email_verified
    from users where id = ${userId}`.execute(db);
  return rows[0];
}

/**
 * Prevents a session from being ended until the transaction ends; returns false if it already was. Whatever adds a credential calls
 * this: a proof of the address that ends the session then waits, and takes back the new credential, too.
 */
export async function lockSession(trx: Database, sessionId: string): Promise<boolean> {
  const { rows } = await sql`select id from sessions where id = ${sessionId} for share`.execute(trx);
  return rows.length > 0;
}

export async function listSignIns(db: Database, { id, user }: CurrentSession): Promise<SignIn[]> {
  const { rows } = await sql<SignIn>`
    select id, created_at, last_seen_at, expires_at, user_agent, methods, id = ${id} as is_current
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

export async function sweepSessions(db: Database): Promise<void> {
  await sql`delete from sessions where expires_at <= now()`.execute(db);
}
