/*
 * Many senders post one trace a request. A transaction each would mean a commit each, and a commit waits for the disk.
 * So small requests that arrive while others are being stored are stored together, in one transaction:
 *
 *   - three writers at the most, each with at most 16 requests in hand;
 *   - no timer: a free writer takes whatever has queued up, so a request that comes alone waits for nothing;
 *   - each is answered after the COMMIT that holds it;
 *   - should the shared transaction fail, whatever the reason, each of its requests goes alone, so that one that
 *     is over its limit, or a fault, is answered to the one it belongs to;
 *   - two requests that name the same trace never share: the second one finds what the first one stored.
 *
 * A large request goes alone at once: it would only make others wait.
 */

const WRITERS = 3;
const TOGETHER_MOST = 16;
const SMALL_BYTES = 256 * 1024;

export interface Shareable {
  bytes: number;
  /** What two of them must not have in common to go together. */
  keys: Iterable<string>;
}

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export class SharedTransactions<T extends Shareable, R> {
  readonly #store: (items: T[]) => Promise<R[]>;
  #queue: Waiting<T, R>[] = [];
  #writers = 0;

  /** `store` stores all of them in one transaction and has a result for each, in their order. */
  constructor(store: (items: T[]) => Promise<R[]>) {
    this.#store = store;
  }

  store(item: T): Promise<R> {
    if (item.bytes > SMALL_BYTES) return this.#alone(item);
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      if (this.#writers < WRITERS) void this.#write();
    });
  }

  async #write() {
    this.#writers += 1;
    for (let group = this.#take(); group.length > 0; group = this.#take()) await this.#storeGroup(group);
    this.#writers -= 1;
  }

  /** The first ones that can go together; those that cannot keep their place. */
  #take(): Waiting<T, R>[] {
    const taken: Waiting<T, R>[] = [];
    const left: Waiting<T, R>[] = [];
    const keys = new Set<string>();
    for (const waiting of this.#queue) {
      const own = [...waiting.item.keys];
      const goes = taken.length < TOGETHER_MOST && own.every((key) => !keys.has(key));
      (goes ? taken : left).push(waiting);
      // Nor may anybody overtake one of their own that is left.
      for (const key of own) keys.add(key);
    }
    this.#queue = left;
    return taken;
  }

  async #storeGroup(group: Waiting<T, R>[]) {
    try {
      const results = await this.#store(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
    } catch (error) {
      const [only] = group;
      if (only && group.length === 1) only.reject(error);
      else
        await Promise.all(group.map(({ item, resolve, reject }) => this.#alone(item).then(resolve, reject)));
    }
  }

  async #alone(item: T): Promise<R> {
    const [result] = await this.#store([item]);
    return result as R;
  }
}
