import type { WorkspaceId } from "../../db/workspace-id.ts";

/*
 * Many clients send one trace a request. A transaction for each would mean a commit for each, and a commit waits for the
 * disk. So small requests that arrive while others are being stored are stored together (group commit):
 *
 *   - There are at most three writers, each with at most 16 requests and 512 KiB at a time.
 *   - There is no timer: a free writer takes what is queued, so a request that comes alone does not wait.
 *   - The queue serves workspaces round robin: one with a thousand requests does not delay the others.
 *   - Each request is answered after the COMMIT that contains it.
 *   - If the shared transaction fails, each of its requests is stored alone, so that an error, such as a workspace over its
 *     limit, reaches only the request that caused it. The same happens if a request would have to wait for a lock: no
 *     shared transaction waits for a lock for long.
 *   - Two requests that name the same trace never share a transaction: the second one replaces what the first one stored.
 *     Nor are they in two transactions at once, because one would wait for the other's lock, with all its requests.
 *   - For the same reason, while others send too, a workspace is in one transaction at a time: each locks the workspace's totals.
 *
 * A large request is stored alone: it would only make others wait. So is a small one of a workspace whose last request was slow
 * after it had failed in a shared transaction: it probably waits for a lock, and would make the next group fail too.
 */

const MAX_GROUP_SIZE = 16;
const MAX_GROUP_BYTES = 512 * 1024;
const SMALL_BYTES = 256 * 1024;
const SLOW_MS = 500;
const SLOW_WORKSPACE_MS = 10_000;

export interface Groupable {
  workspaceId: WorkspaceId;
  bytes: number;
  /** Items that have a key in common are not stored in one group. */
  keys: Iterable<string>;
}

interface GroupCommitOptions<T, R> {
  maxWriters: number;
  /** Stores all items in one transaction and returns a result for each, in their order. */
  storeGroup(items: T[]): Promise<R[]>;
  /** Stores one item in a transaction that may wait for locks. */
  storeAlone(item: T): Promise<R>;
  /** Is called when a group could not be stored. Its items are stored alone then, and each request gets an error of its own. */
  onGroupFailed?: ((error: unknown) => void) | undefined;
}

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

export class GroupCommit<T extends Groupable, R> {
  readonly #options: GroupCommitOptions<T, R>;
  /** First in, first out for each workspace. The workspace that is served next comes first. */
  readonly #queues = new Map<string, Waiting<T, R>[]>();
  /** Workspaces that are stored alone, and until when. */
  readonly #slowWorkspaces = new Map<string, number>();
  #writers = 0;
  /** What is being stored now. */
  readonly #groups = new Set<Waiting<T, R>[]>();

  constructor(options: GroupCommitOptions<T, R>) {
    this.#options = options;
  }

  get waiting() {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.length;
    return count;
  }

  store(item: T): Promise<R> {
    if (item.bytes > SMALL_BYTES || this.#isSlow(item.workspaceId)) return this.#options.storeAlone(item);
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(item.workspaceId);
      const waiting = { item, resolve, reject };
      if (queue) queue.push(waiting);
      else this.#queues.set(item.workspaceId, [waiting]);
      if (this.#writers < this.#options.maxWriters) void this.#write();
    });
  }

  #isSlow(workspaceId: WorkspaceId): boolean {
    const until = this.#slowWorkspaces.get(workspaceId);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#slowWorkspaces.delete(workspaceId);
    return false;
  }

  async #write() {
    this.#writers += 1;
    // What cannot start now waits for a group whose writer comes here again.
    for (let group = this.#takeGroup(); group.length > 0; group = this.#takeGroup()) {
      this.#groups.add(group);
      await this.#storeGroup(group);
      this.#groups.delete(group);
    }
    this.#writers -= 1;
  }

  /** Takes the first items, round robin, that can share a transaction; the others keep their order. */
  #takeGroup(): Waiting<T, R>[] {
    const group: Waiting<T, R>[] = [];
    const stored = [...this.#groups].flat();
    const keys = new Set(stored.flatMap(({ item }) => [...item.keys]));
    const busyWorkspaces = new Set(stored.map(({ item }) => item.workspaceId));
    const isShared = new Set([...busyWorkspaces, ...this.#queues.keys()]).size > 1;
    let bytes = 0;
    for (const waiting of this.#inTurns()) {
      const { item } = waiting;
      if (isShared && busyWorkspaces.has(item.workspaceId)) continue;
      const itemKeys = [...item.keys];
      if (itemKeys.every((key) => !keys.has(key))) {
        if (group.length > 0 && bytes + item.bytes > MAX_GROUP_BYTES) break;
        bytes += item.bytes;
        if (group.push(waiting) === MAX_GROUP_SIZE) break;
      }
      // A later item with the same key must not overtake one that remains in the queue.
      for (const key of itemKeys) keys.add(key);
    }
    this.#remove(group);
    return group;
  }

  /** The first item of each workspace, then the second of each, and so on. */
  *#inTurns(): Generator<Waiting<T, R>> {
    for (let round = 0, isOver = false; !isOver; round += 1) {
      isOver = true;
      for (const queue of this.#queues.values()) {
        const waiting = queue[round];
        if (!waiting) continue;
        isOver = false;
        yield waiting;
      }
    }
  }

  /** Removes items from their queues; their workspaces are served after the others. */
  #remove(group: Waiting<T, R>[]) {
    const taken = new Set(group);
    for (const workspaceId of new Set(group.map(({ item }) => item.workspaceId))) {
      const remaining = this.#queues.get(workspaceId)?.filter((waiting) => !taken.has(waiting)) ?? [];
      this.#queues.delete(workspaceId);
      if (remaining.length > 0) this.#queues.set(workspaceId, remaining);
    }
  }

  async #storeGroup(group: Waiting<T, R>[]) {
    try {
      const results = await this.#options.storeGroup(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
    } catch (error) {
      this.#options.onGroupFailed?.(error);
      // Not awaited: a request that waits for a lock must not occupy a writer.
      for (const waiting of group) void this.#retryAlone(waiting);
    }
  }

  async #retryAlone({ item, resolve, reject }: Waiting<T, R>) {
    const startedAt = performance.now();
    const [settled] = await Promise.allSettled([this.#options.storeAlone(item)]);
    const now = performance.now();
    if (now - startedAt > SLOW_MS) this.#slowWorkspaces.set(item.workspaceId, now + SLOW_WORKSPACE_MS);
    if (settled.status === "fulfilled") resolve(settled.value);
    else reject(settled.reason);
  }
}
