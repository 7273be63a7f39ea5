import { Overloaded } from "./overloaded.ts";

interface Waiter {
  user: string;
  bytes: number;
  admit(): void;
}

/**
 * Bounds the bytes of request bodies that are in memory at once, in all and for each user. A request waits its turn
 * before its body is read, while the network holds it; who would wait too long is told to come back. Whoever has used
 * up their share waits for themselves: others are let past.
 */
export class ByteBudget {
  readonly #maxBytesPerUser: number;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Waiter>();
  readonly #held = new Map<string, number>();
  #free: number;

  constructor({
    maxBytes,
    maxBytesPerUser,
    maxWaitMs,
  }: { maxBytes: number; maxBytesPerUser: number; maxWaitMs: number }) {
    this.#free = maxBytes;
    this.#maxBytesPerUser = maxBytesPerUser;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Takes so many bytes for a user; the function returned gives them back, once. */
  async acquire(user: string, bytes: number): Promise<() => void> {
    if (this.#fits(user, bytes) && !this.#isAwaited(user)) this.#hold(user, bytes);
    else await this.#wait(user, bytes);
    let isReturned = false;
    return () => {
      if (isReturned) return;
      isReturned = true;
      this.#hold(user, -bytes);
      this.#admit();
    };
  }

  #fits(user: string, bytes: number): boolean {
    return bytes <= this.#free && (this.#held.get(user) ?? 0) + bytes <= this.#maxBytesPerUser;
  }

  /** Whether somebody came first whom this one must not overtake. */
  #isAwaited(user: string): boolean {
    for (const waiter of this.#waiting) if (waiter.user === user || this.#hasShare(waiter)) return true;
    return false;
  }

  /** Waits for room, not for a share of their own. */
  #hasShare({ user, bytes }: Waiter): boolean {
    return (this.#held.get(user) ?? 0) + bytes <= this.#maxBytesPerUser;
  }

  #hold(user: string, bytes: number) {
    this.#free -= bytes;
    const held = (this.#held.get(user) ?? 0) + bytes;
    if (held === 0) this.#held.delete(user);
    else this.#held.set(user, held);
  }

  #wait(user: string, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = {
        user,
        bytes,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(new Overloaded(5));
        this.#admit();
      }, this.#maxWaitMs);
      this.#waiting.add(waiter);
    });
  }

  /** In the order they came; one that waits for room stops those behind it, one that waits for their share does not. */
  #admit() {
    for (const waiter of this.#waiting) {
      if (!this.#hasShare(waiter)) continue;
      if (!this.#fits(waiter.user, waiter.bytes)) return;
      this.#waiting.delete(waiter);
      this.#hold(waiter.user, waiter.bytes);
      waiter.admit();
    }
  }
}
