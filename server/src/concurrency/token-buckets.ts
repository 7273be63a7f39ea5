const SWEEP_PAUSE_MS = 60_000;

/**
 * Limits an amount per minute and user, for example requests or bytes. Each user has a bucket that refills continuously. A
 * user may take more than the bucket holds and then waits until the debt is refilled, so an amount can be taken after it is
 * known.
 *
 * The buckets are in memory: the limit holds for each server process. A full bucket is forgotten.
 */
export class TokenBuckets {
  readonly #perSecond: number;
  readonly #capacity: number;
  #sweptAt = 0;
  readonly #buckets = new Map<string, { tokens: number; updatedAt: number }>();

  /** A user who has taken nothing may take the amount of `burstSeconds` at once. */
  constructor(perMinute: number, burstSeconds = 10) {
    this.#perSecond = perMinute / 60;
    this.#capacity = Math.max(1, this.#perSecond * burstSeconds);
  }

  /** Milliseconds until the user may take again; 0 if now. The last `reservedSeconds` of the bucket stay in it. */
  waitMs(user: string, now = performance.now(), reservedSeconds = 0): number {
    const tokens = this.#refill(user, now) - reservedSeconds * this.#perSecond;
    return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1_000) / this.#perSecond);
  }

  take(user: string, amount: number, now = performance.now()) {
    if (now - this.#sweptAt > SWEEP_PAUSE_MS) this.#sweep(now);
    const tokens = this.#refill(user, now) - amount;
    this.#buckets.set(user, { tokens, updatedAt: now });
  }

  #refill(user: string, now: number): number {
    const bucket = this.#buckets.get(user);
    if (!bucket) return this.#capacity;
    const tokens = bucket.tokens + ((now - bucket.updatedAt) / 1_000) * this.#perSecond;
    return Math.min(tokens, this.#capacity);
  }

  /** Forgets users whose bucket is full. */
  #sweep(now: number) {
    this.#sweptAt = now;
    for (const user of this.#buckets.keys())
      if (this.#refill(user, now) >= this.#capacity) this.#buckets.delete(user);
  }
}
