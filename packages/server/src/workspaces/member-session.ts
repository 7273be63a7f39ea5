import type { Role } from "@whytrace/contract";
import { sql } from "kysely";
import type { SignInPolicy } from "../auth/policy-blocks.ts";
import { hashToken } from "../auth/random-token.ts";
import { type CurrentSession, type FoundSession, SESSION_COLUMNS, useSession } from "../auth/sessions.ts";
import { batchedRead } from "../db/batched-read.ts";
import type { Database } from "../db/database.ts";
import { hasHash } from "../db/statements/has-hash.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { SLUG_PATTERN } from "./slug.ts";

/** A session in a workspace that its user belongs to. */
export interface MemberSession extends CurrentSession {
  workspaceId: WorkspaceId;
  role: Role;
}

interface Membership {
  workspaceId: WorkspaceId;
  role: Role;
  policy: SignInPolicy;
}

/** A session, and at most two of the memberships of its user, or the one in the workspace that was asked for. */
export interface SessionMemberships {
  session: CurrentSession;
  memberships: Membership[];
}

/** What is read of the membership and the rules of its workspace. */
const MEMBERSHIP_COLUMNS = sql.raw(
  "memberships.workspace_id, memberships.role, workspaces.require_second_factor, workspaces.sso_provider, workspaces.max_session_hours",
);

interface Row extends FoundSession, SignInPolicy {
  workspaceId: WorkspaceId | null;
  role: Role | null;
}

interface Found {
  row: Row;
  memberships: Membership[];
}

/** One session in one workspace, the usual case: `hasHash` says why it has a statement of its own. */
async function readOne(db: Database, hash: string, slug: string): Promise<Row[]> {
  const { rows } = await sql<Row>`/* prepared */
    select ${SESSION_COLUMNS}, ${MEMBERSHIP_COLUMNS}
    from sessions join users on users.id = sessions.user_id
      left join workspaces on workspaces.slug = ${slug}
      left join memberships on memberships.user_id = sessions.user_id and memberships.workspace_id = workspaces.id
    where ${hasHash("sessions.token_hash", [hash])} and sessions.expires_at > now()`.execute(db);
  return rows;
}

/** Batched like `findSession`, and not cached: a changed role counts from the next request on, on every server. */
const readBySlug = batchedRead(async (db, keys) => {
  const asked = keys.map((key) => key.split(" "));
  const [only, ...more] = keys;
  if (only && more.length === 0) {
    const [hash = "", slug = ""] = only.split(" ");
    return new Map([[only, found(await readOne(db, hash, slug))]]);
  }
  const { rows } = await sql<Row & { slug: string }>`/* prepared */
    select ${SESSION_COLUMNS}, asked.slug, ${MEMBERSHIP_COLUMNS}
    from unnest(${asked.map(([hash = ""]) => Buffer.from(hash, "hex"))}::bytea[], ${asked.map(([, slug]) => slug)}::text[])
        as asked (token_hash, slug)
      join sessions on sessions.token_hash = asked.token_hash and sessions.expires_at > now()
      join users on users.id = sessions.user_id
      left join workspaces on workspaces.slug = asked.slug
      left join memberships on memberships.user_id = users.id and memberships.workspace_id = workspaces.id`.execute(
    db,
  );
  return new Map(rows.map((row) => [`${row.tokenHash} ${row.slug}`, found([row])]));
});

/** Two memberships are enough to know that there are several. */
const readOnly = batchedRead(async (db, hashes) => {
  const { rows } = await sql<Row>`/* prepared */
    select ${SESSION_COLUMNS}, ${MEMBERSHIP_COLUMNS}
    from sessions join users on users.id = sessions.user_id
      left join lateral (
        select workspace_id, role from memberships where memberships.user_id = sessions.user_id limit 2
      ) as memberships on true
      left join workspaces on workspaces.id = memberships.workspace_id
    where ${hasHash("sessions.token_hash", hashes)} and sessions.expires_at > now()`.execute(db);
  return new Map([...Map.groupBy(rows, (row) => row.tokenHash)].map(([hash, some]) => [hash, found(some)]));
});

function found(rows: Row[]): Found | undefined {
  const [row] = rows;
  const memberships = rows.flatMap(
    ({ workspaceId, role, requireSecondFactor, ssoProvider, maxSessionHours }) =>
      workspaceId && role
        ? [{ workspaceId, role, policy: { requireSecondFactor, ssoProvider, maxSessionHours } }]
        : [],
  );
  return row && { row, memberships };
}

const SLUG = new RegExp(`^${SLUG_PATTERN}$`);
/** No workspace has it. */
const NO_SLUG = "-";

/** Session, user, workspace and membership in one query. */
export async function findMemberSession(
  db: Database,
  token: string,
  slug: string | undefined,
): Promise<SessionMemberships | undefined> {
  const hash = hashToken(token).toString("hex");
  const read =
    slug === undefined
      ? await readOnly(db, hash)
      : await readBySlug(db, `${hash} ${SLUG.test(slug) ? slug : NO_SLUG}`);
  return read && { session: await useSession(db, read.row), memberships: read.memberships };
}
