/*
 * Counting what a search finds among 100,000 traces, or adding them up for a chart, takes longer than showing a page, and
 * whoever turns pages or comes back has it done again. So such a result is remembered together with the version of the
 * user's traces it was found at. The version goes up in every transaction that changes a trace, and is read from the
 * database each time: while it is the same the result is exact, on every server; when it is not, it is found anew.
 */

const KEY_MOST_LENGTH = 1_000;

export class ResultCache<T> {
  readonly #most: number;
  /** In the order of their last use. */
  readonly #results = new Map<string, { version: number; result: T }>();

  /** Remembers so many results at the most. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * `asked` is what else, but the user, the result depends on. The version must have been read before: what is committed
   * in between makes the remembered version old, never the result wrong.
   */
  async get(
    { version }: { version: number },
    userId: string,
    asked: unknown,
    find: () => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([userId, asked]);
    const remembered = this.#results.get(key);
    this.#results.delete(key);
    const result = remembered?.version === version ? remembered.result : await find();
    if (key.length <= KEY_MOST_LENGTH) this.#results.set(key, { version, result });
    for (const oldest of this.#results.keys()) {
      if (this.#results.size <= this.#most) break;
      this.#results.delete(oldest);
    }
    return result;
  }
}
