import { sql } from "kysely";
import { policyBlocks, type SignInPolicy } from "../auth/policy-blocks.ts";
import type { Database } from "../db/database.ts";
import type { WatchPermission } from "../http/send-stream.ts";
import type { MemberSession } from "../workspaces/member-session.ts";

/** Returns those of the given ids that still permit what they did at the start of a request. */
type FindActive = (ids: string[]) => Promise<Set<string>>;

/** The functions that end responses, by the id of what permits them. */
type WatchedResponses = Map<string, Set<() => void>>;

/**
 * Ends responses that take long when their session or membership ends, the workspace demands another sign-in, or their API key is
 * revoked or expires: the guard checks a credential only at the start of a request. The queries check all of them at once, and notice what another server has done.
 */
export class CredentialWatch {
  readonly #findCredentials: FindActive;
  readonly #watched = new Map<FindActive, WatchedResponses>();

  constructor(db: Database) {
    this.#findCredentials = async (ids) => {
      const [members, others] = [ids.filter(isMemberCredential), ids.filter((id) => !isMemberCredential(id))];
      const active = [
        members.length > 0 ? await findActiveMembers(db, members) : [],
        others.length > 0 ? await findActiveSessionsAndKeys(db, others) : [],
      ];
      return new Set(active.flat());
    };
  }

  /**
   * Calls `end` when the session or key has ended, or what else `findActive` finds. Returns a function that ends the watch.
   */
  watch(id: string, end: () => void, findActive = this.#findCredentials): () => void {
    const watched: WatchedResponses = this.#watched.get(findActive) ?? new Map();
    this.#watched.set(findActive, watched);
    const responses = watched.get(id) ?? new Set();
    // A function of its own, because one function may be passed twice.
    const response = () => end();
    watched.set(id, responses.add(response));
    return () => {
      responses.delete(response);
      if (responses.size === 0 && watched.get(id) === responses) watched.delete(id);
    };
  }

  /** The watch of a streamed response. */
  permission(id: string, findActive = this.#findCredentials): WatchPermission {
    return (end) => this.watch(id, end, findActive);
  }

  async check(): Promise<void> {
    const checks = await Promise.allSettled(
      [...this.#watched].map(([find, watched]) => endEnded(find, watched)),
    );
    for (const check of checks) if (check.status === "rejected") throw check.reason;
  }
}

async function endEnded(findActive: FindActive, watched: WatchedResponses): Promise<void> {
  if (watched.size === 0) return;
  const checked = [...watched];
  const active = await findActive(checked.map(([id]) => id));
  for (const [id, responses] of checked) if (!active.has(id)) for (const end of [...responses]) end();
}

/** What permits a response about a workspace to a member: the session, and the membership of its user. */
export const memberCredential = ({ id, workspaceId }: Pick<MemberSession, "id" | "workspaceId">) =>
  `${id} ${workspaceId}`;
const isMemberCredential = (id: string) => id.includes(" ");

async function findActiveMembers(db: Database, credentials: string[]): Promise<string[]> {
  const pairs = credentials.map((credential) => credential.split(" "));
  const { rows } = await sql<
    SignInPolicy & { id: string; workspaceId: string; methods: string[]; at: string }
  >`
    select sessions.id, memberships.workspace_id, sessions.methods, sessions.created_at as at,
      workspaces.require_second_factor, workspaces.sso_provider, workspaces.max_session_hours
    from unnest(${pairs.map(([id]) => id)}::uuid[], ${pairs.map(([, workspaceId]) => workspaceId)}::uuid[])
        as watched (session_id, workspace_id)
      join sessions on sessions.id = watched.session_id and sessions.expires_at > now()
      join memberships on memberships.user_id = sessions.user_id
        and memberships.workspace_id = watched.workspace_id
      join workspaces on workspaces.id = memberships.workspace_id`.execute(db);
  return rows
    .filter((row) => policyBlocks(row, row) === null)
    .map(({ id, workspaceId }) => `${id} ${workspaceId}`);
}

async function findActiveSessionsAndKeys(db: Database, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from sessions where id = any(${ids}::uuid[]) and expires_at > now()
    union all
    select id from api_keys
    where id = any(${ids}::uuid[]) and (expires_at is null or expires_at > now())`.execute(db);
  return rows.map((row) => row.id);
}
