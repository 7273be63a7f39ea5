import { HttpError } from "./http-error.ts";

interface Waiter {
  bytes: number;
  admit(): void;
}

/**
 * Bounds the bytes of request bodies that are in memory at once. A request waits its turn before its body is read,
 * while the network holds it; who would wait too long is told to come back.
 */
export class ByteBudget {
  readonly #longestWaitMs: number;
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor({ bytes, longestWaitMs }: { bytes: number; longestWaitMs: number }) {
    this.#free = bytes;
    this.#longestWaitMs = longestWaitMs;
  }

  /** Takes so many bytes; the function returned gives them back, once. */
  async take(bytes: number): Promise<() => void> {
    if (this.#waiting.length > 0 || bytes > this.#free) await this.#wait(bytes);
    else this.#free -= bytes;
    let isReturned = false;
    return () => {
      if (isReturned) return;
      isReturned = true;
      this.#free += bytes;
      this.#admit();
    };
  }

  #wait(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = {
        bytes,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(HttpError.unavailable(5));
        this.#admit();
      }, this.#longestWaitMs);
      this.#waiting.push(waiter);
    });
  }

  #admit() {
    for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.admit();
    }
  }
}
