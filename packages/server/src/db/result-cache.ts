import type { WorkspaceId } from "./workspace-id.ts";

const MAX_KEY_LENGTH = 1_000;
/** Which results are used for later versions, and for how long. Tests override it. */
export const REUSE = {
  /** A result that takes longer to compute is expensive. */
  expensiveMs: 200,
  /** An expensive result is reused for this many times the time that it took, so it costs at most a tenth of a core. */
  factor: 10,
  maxMs: 30_000,
};

interface Entry<T> {
  version: number;
  startedAt: number;
  /** Until then, the result is also used for later versions. */
  reusedUntil: number;
  result: Promise<T>;
  /** 0 while it is being computed. */
  size: number;
}

interface ResultCacheOptions<T> {
  /** Results that were computed in less time are not kept. */
  minMs?: number;
  isKept?: (result: T) => boolean;
  /** Whether a result is never used for another version, however long it took. */
  isExact?: boolean;
  /** Bounds the memory of all results together. A result that is larger alone is not kept. */
  memory?: { maxBytes: number; sizeOf: (result: T) => number };
}

/**
 * An LRU cache for expensive results, such as the number of traces that a search matches. An entry is valid for one
 * version of the workspace's traces. Every transaction that changes a trace increments the version, and each call reads it
 * from the database, so a cached result is exact on every server.
 *
 * The exception are results that take longer than 200 ms: a workspace whose traces change all the time would make the database
 * compute them all the time. They may be up to 30 seconds old. Equal calls at the same time share one computation.
 */
export class ResultCache<T> {
  readonly #maxEntries: number;
  readonly #options: ResultCacheOptions<T>;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry<T>>();
  #bytes = 0;

  constructor(maxEntries: number, options: ResultCacheOptions<T> = {}) {
    this.#maxEntries = maxEntries;
    this.#options = options;
  }

  /**
   * `query` identifies the result for the workspace. The caller must read `version` before calling: a commit in between then
   * makes the cached version outdated, never the result wrong.
   */
  get(
    { version }: { version: number },
    workspaceId: WorkspaceId,
    query: unknown,
    compute: () => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([workspaceId, query]);
    if (key.length > MAX_KEY_LENGTH) return compute();
    const cached = this.#entries.get(key);
    const entry = cached && isUsable(cached, version) ? cached : this.#compute(key, version, compute);
    this.#forget(key);
    this.#entries.set(key, entry);
    this.#bytes += entry.size;
    this.#evict();
    return entry.result;
  }

  #forget(key: string) {
    this.#bytes -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  #evict() {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#options.memory ?? {};
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= maxBytes) break;
      this.#forget(oldest);
    }
  }

  #compute(key: string, version: number, compute: () => Promise<T>): Entry<T> {
    const startedAt = performance.now();
    const { minMs = 0, isKept = () => true, isExact = false, memory } = this.#options;
    const entry: Entry<T> = {
      version,
      startedAt,
      reusedUntil: isExact ? 0 : Number.POSITIVE_INFINITY,
      result: compute(),
      size: 0,
    };
    const forget = () => {
      if (this.#entries.get(key) === entry) this.#forget(key);
    };
    entry.result.then((result) => {
      const ms = performance.now() - startedAt;
      entry.reusedUntil =
        ms > REUSE.expensiveMs && !isExact ? startedAt + ms + Math.min(ms * REUSE.factor, REUSE.maxMs) : 0;
      if (ms < minMs || !isKept(result)) forget();
      if (!memory || this.#entries.get(key) !== entry) return;
      entry.size = memory.sizeOf(result);
      this.#bytes += entry.size;
      if (entry.size > memory.maxBytes) forget();
      this.#evict();
    }, forget);
    return entry;
  }
}

/** A computation that is still running counts as expensive once it has run for long enough. */
function isUsable(entry: Entry<unknown>, version: number): boolean {
  const now = performance.now();
  return entry.version === version || (now < entry.reusedUntil && now - entry.startedAt > REUSE.expensiveMs);
}
