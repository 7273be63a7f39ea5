import { sql } from "kysely";
import { findActiveSessions } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";

/**
 * Ends long responses, such as event streams and downloads, when their session ends or their API key is revoked or
 * expires: the guard checks a credential only at the start of a request. The queries check all of them at once, and notice
 * what another server has done.
 */
export class CredentialWatch {
  readonly #db: Database;
  readonly #watched = new Map<string, Set<() => void>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Calls `end` when the session or key has ended. Returns a function that ends the watch. */
  watch(credentialId: string, end: () => void): () => void {
    const responses = this.#watched.get(credentialId) ?? new Set();
    // A function of its own, because one function may be passed twice.
    const response = () => end();
    this.#watched.set(credentialId, responses.add(response));
    return () => {
      responses.delete(response);
      if (responses.size === 0 && this.#watched.get(credentialId) === responses)
        this.#watched.delete(credentialId);
    };
  }

  async check(): Promise<void> {
    if (this.#watched.size === 0) return;
    const watched = [...this.#watched];
    const ids = watched.map(([credentialId]) => credentialId);
    const sessions = await findActiveSessions(this.#db, ids);
    const keys = await findActiveKeys(this.#db, ids);
    for (const [id, responses] of watched)
      if (!sessions.has(id) && !keys.has(id)) for (const end of [...responses]) end();
  }
}

/** Returns those of the given ids that are keys and have not expired. */
async function findActiveKeys(db: Database, ids: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from api_keys
    where id = any(${ids}::uuid[]) and (expires_at is null or expires_at > now())`.execute(db);
  return new Set(rows.map((row) => row.id));
}
