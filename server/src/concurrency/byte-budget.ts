import { Overloaded } from "./overloaded.ts";

interface Waiter {
  user: string;
  bytes: number;
  admit(): void;
}

/**
 * Limits the bytes of request bodies in memory, in total and per user. A request acquires its bytes before its body is
 * read, so TCP backpressure holds the body back; after `maxWaitMs` it fails with Overloaded. A user over their own
 * limit waits without blocking other users.
 */
export class ByteBudget {
  readonly #maxBytesPerUser: number;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Waiter>();
  readonly #heldByUser = new Map<string, number>();
  #freeBytes: number;

  constructor({
    maxBytes,
    maxBytesPerUser,
    maxWaitMs,
  }: { maxBytes: number; maxBytesPerUser: number; maxWaitMs: number }) {
    this.#freeBytes = maxBytes;
    this.#maxBytesPerUser = maxBytesPerUser;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Acquires bytes for a user and returns a function that releases them; calling it again does nothing. */
  async acquire(user: string, bytes: number): Promise<() => void> {
    if (this.#fits(user, bytes) && !this.#mustQueue(user)) this.#hold(user, bytes);
    else await this.#wait(user, bytes);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#hold(user, -bytes);
      this.#admitWaiting();
    };
  }

  #fits(user: string, bytes: number): boolean {
    return bytes <= this.#freeBytes && this.#fitsUser(user, bytes);
  }

  #fitsUser(user: string, bytes: number): boolean {
    return (this.#heldByUser.get(user) ?? 0) + bytes <= this.#maxBytesPerUser;
  }

  /** Whether an earlier waiter would be overtaken: one of the same user, or one within its own user's limit. */
  #mustQueue(user: string): boolean {
    for (const waiter of this.#waiting)
      if (waiter.user === user || this.#fitsUser(waiter.user, waiter.bytes)) return true;
    return false;
  }

  #hold(user: string, bytes: number) {
    this.#freeBytes -= bytes;
    const held = (this.#heldByUser.get(user) ?? 0) + bytes;
    if (held === 0) this.#heldByUser.delete(user);
    else this.#heldByUser.set(user, held);
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
        this.#admitWaiting();
      }, this.#maxWaitMs);
      this.#waiting.add(waiter);
    });
  }

  /** First in, first out. A waiter over its user's limit is skipped; one that lacks free bytes blocks later ones. */
  #admitWaiting() {
    for (const waiter of this.#waiting) {
      if (!this.#fitsUser(waiter.user, waiter.bytes)) continue;
      if (!this.#fits(waiter.user, waiter.bytes)) return;
      this.#waiting.delete(waiter);
      this.#hold(waiter.user, waiter.bytes);
      waiter.admit();
    }
  }
}
