import { sql } from "kysely";
import { findActiveSessions } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import type { WatchPermission } from "../http/send-stream.ts";

/** Returns those of the given ids that still permit what they did at the start of a request. */
export type FindActive = (ids: string[]) => Promise<Set<string>>;

/** The functions that end responses, by the id of what permits them. */
type WatchedResponses = Map<string, Set<() => void>>;

/**
 * Ends responses that take long when their session ends or their API key is revoked or expires: the guard checks a
 * credential only at the start of a request. The queries check all of them at once, and notice what another server has done.
 */
export class CredentialWatch {
  readonly #findCredentials: FindActive;
  readonly #watched = new Map<FindActive, WatchedResponses>();

  constructor(db: Database) {
    this.#findCredentials = async (ids) => {
      const sessions = await findActiveSessions(db, ids);
      return new Set([...sessions, ...(await findActiveKeys(db, ids))]);
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

/** Returns those of the given ids that are keys and have not expired. */
async function findActiveKeys(db: Database, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from api_keys
    where id = any(${ids}::uuid[]) and (expires_at is null or expires_at > now())`.execute(db);
  return new Set(rows.map((row) => row.id));
}
