const MAX_KEY_LENGTH = 1_000;

/**
 * An LRU cache for expensive results, such as the number of traces that a search matches. An entry is valid for one
 * version of the user's traces. Every transaction that changes a trace increments the version, and each call reads it
 * from the database, so a cached result is exact on every server.
 */
export class ResultCache<T> {
  readonly #maxEntries: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, { version: number; result: T }>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /**
   * `query` identifies the result for the user. The caller must read `version` before calling: a commit in between then
   * makes the cached version outdated, never the result wrong.
   */
  async get(
    { version }: { version: number },
    userId: string,
    query: unknown,
    compute: () => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([userId, query]);
    const cached = this.#entries.get(key);
    this.#entries.delete(key);
    const result = cached?.version === version ? cached.result : await compute();
    if (key.length <= MAX_KEY_LENGTH) this.#entries.set(key, { version, result });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) break;
      this.#entries.delete(oldest);
    }
    return result;
  }
}
