import type { Database } from "../db/database.ts";
import { findActiveSessions } from "./sessions.ts";

/**
 * Ends long responses, such as event streams and downloads, when their session ends: the guard checks a session only at
 * the start of a request. One query checks all of them, so it also notices a session that another server has ended.
 */
export class SessionWatch {
  readonly #db: Database;
  readonly #watched = new Map<string, Set<() => void>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Calls `end` when the session has ended. Returns a function that ends the watch. */
  watch(sessionId: string, end: () => void): () => void {
    const responses = this.#watched.get(sessionId) ?? new Set();
    // A function of its own, because one function may be passed twice.
    const response = () => end();
    this.#watched.set(sessionId, responses.add(response));
    return () => {
      responses.delete(response);
      if (responses.size === 0 && this.#watched.get(sessionId) === responses) this.#watched.delete(sessionId);
    };
  }

  async check(): Promise<void> {
    if (this.#watched.size === 0) return;
    const watched = [...this.#watched];
    const active = await findActiveSessions(
      this.#db,
      watched.map(([sessionId]) => sessionId),
    );
    for (const [sessionId, responses] of watched)
      if (!active.has(sessionId)) for (const end of [...responses]) end();
  }
}
