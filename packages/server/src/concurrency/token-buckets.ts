const SWEEP_PAUSE_MS = 60_000;

/**
 * Limits an amount per minute and workspace, for example requests or bytes. Each workspace has a bucket that refills continuously. A
 * workspace may take more than the bucket holds and then waits until the debt is refilled, so an amount can be taken after it is
 * known.
 *
 * The buckets are in memory: the limit holds for each server process. A full bucket is forgotten.
 */
export class TokenBuckets {
  readonly #perSecond: number;
  readonly #capacity: number;
  #sweptAt = 0;
  readonly #buckets = new Map<string, { tokens: number; updatedAt: number }>();

  /** A workspace that has taken nothing may take the amount of `burstSeconds` at once. */
  constructor(perMinute: number, burstSeconds = 10) {
    this.#perSecond = perMinute / 60;
    this.#capacity = Math.max(1, this.#perSecond * burstSeconds);
  }

  /** Milliseconds until the workspace may take again; 0 if now. The last `reservedSeconds` of the bucket stay in it. */
  waitMs(workspace: string, now = performance.now(), reservedSeconds = 0): number {
    const tokens = this.#refill(workspace, now) - reservedSeconds * this.#perSecond;
    return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1_000) / this.#perSecond);
  }

  take(workspace: string, amount: number, now = performance.now()) {
    if (now - this.#sweptAt > SWEEP_PAUSE_MS) this.#sweep(now);
    const tokens = this.#refill(workspace, now) - amount;
    this.#buckets.set(workspace, { tokens, updatedAt: now });
  }

  #refill(workspace: string, now: number): number {
    const bucket = this.#buckets.get(workspace);
    if (!bucket) return this.#capacity;
    const tokens = bucket.tokens + ((now - bucket.updatedAt) / 1_000) * this.#perSecond;
    return Math.min(tokens, this.#capacity);
  }

  /** Forgets workspaces whose bucket is full. */
  #sweep(now: number) {
    this.#sweptAt = now;
    for (const workspace of this.#buckets.keys())
      if (this.#refill(workspace, now) >= this.#capacity) this.#buckets.delete(workspace);
  }
}
