/*
 * Many clients send one trace a request. A transaction for each would mean a commit for each, and a commit waits for the
 * disk. So small requests that arrive while others are being stored are stored together (group commit):
 *
 *   - There are at most three writers, each with at most 16 requests at a time.
 *   - There is no timer: a free writer takes what is queued, so a request that comes alone does not wait.
 *   - Each request is answered after the COMMIT that contains it.
 *   - If the shared transaction fails, each of its requests is stored alone, so that an error, such as a user over their
 *     limit, reaches only the request that caused it.
 *   - Two requests that name the same trace never share a transaction: the second one replaces what the first one stored.
 *
 * A large request is stored alone and at once: it would only make others wait.
 */

const MAX_WRITERS = 3;
const MAX_GROUP_SIZE = 16;
const SMALL_BYTES = 256 * 1024;

export interface Groupable {
  bytes: number;
  /** Items that have a key in common are not stored in one group. */
  keys: Iterable<string>;
}

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export class GroupCommit<T extends Groupable, R> {
  readonly #store: (items: T[]) => Promise<R[]>;
  #queue: Waiting<T, R>[] = [];
  #writers = 0;

  /** `store` stores all items in one transaction and returns a result for each, in their order. */
  constructor(store: (items: T[]) => Promise<R[]>) {
    this.#store = store;
  }

  store(item: T): Promise<R> {
    if (item.bytes > SMALL_BYTES) return this.#storeAlone(item);
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      if (this.#writers < MAX_WRITERS) void this.#write();
    });
  }

  async #write() {
    this.#writers += 1;
    for (let group = this.#takeGroup(); group.length > 0; group = this.#takeGroup())
      await this.#storeGroup(group);
    this.#writers -= 1;
  }

  /** Takes the first items of the queue that can share a transaction; the others keep their order. */
  #takeGroup(): Waiting<T, R>[] {
    const group: Waiting<T, R>[] = [];
    const remaining: Waiting<T, R>[] = [];
    const keys = new Set<string>();
    for (const waiting of this.#queue) {
      const itemKeys = [...waiting.item.keys];
      const fits = group.length < MAX_GROUP_SIZE && itemKeys.every((key) => !keys.has(key));
      (fits ? group : remaining).push(waiting);
      // A later item with the same key must not overtake one that remains in the queue.
      for (const key of itemKeys) keys.add(key);
    }
    this.#queue = remaining;
    return group;
  }

  async #storeGroup(group: Waiting<T, R>[]) {
    try {
      const results = await this.#store(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
    } catch (error) {
      const [only] = group;
      if (only && group.length === 1) only.reject(error);
      else
        await Promise.all(
          group.map(({ item, resolve, reject }) => this.#storeAlone(item).then(resolve, reject)),
        );
    }
  }

  async #storeAlone(item: T): Promise<R> {
    const [result] = await this.#store([item]);
    return result as R;
  }
}
