const RECENT_MS = 2_000;

/** Remembers who used the server in the last moments, so that limits for the sake of others hold only if there are others. */
export class RecentCallers {
  /** When each caller was seen last, oldest first. */
  readonly #seenAt = new Map<string, number>();

  remember(caller: string, now = performance.now()) {
    this.#seenAt.delete(caller);
    this.#seenAt.set(caller, now);
    this.#forgetOld(now);
  }

  hasOthers(caller: string, now = performance.now()): boolean {
    this.#forgetOld(now);
    return this.#seenAt.size > (this.#seenAt.has(caller) ? 1 : 0);
  }

  #forgetOld(now: number) {
    for (const [caller, seenAt] of this.#seenAt) {
      if (seenAt >= now - RECENT_MS) return;
      this.#seenAt.delete(caller);
    }
  }
}
