const RECENT_MS = 2_000;

/** Remembers who used the server in the last moments, so that limits for the sake of others hold only if there are others. */
export class RecentUsers {
  /** When each user was seen last, oldest first. */
  readonly #seenAt = new Map<string, number>();

  remember(user: string, now = performance.now()) {
    this.#seenAt.delete(user);
    this.#seenAt.set(user, now);
    this.#forgetOld(now);
  }

  hasOthers(user: string, now = performance.now()): boolean {
    this.#forgetOld(now);
    return this.#seenAt.size > (this.#seenAt.has(user) ? 1 : 0);
  }

  #forgetOld(now: number) {
    for (const [user, seenAt] of this.#seenAt) {
      if (seenAt >= now - RECENT_MS) return;
      this.#seenAt.delete(user);
    }
  }
}
