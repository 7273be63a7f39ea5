import { setTimeout as sleep } from "node:timers/promises";

/**
 * Coalesces items into batches. The first item is handled at once; items that arrive while a batch is handled, or in
 * the pause after it, form the next batch. `handle` must not throw.
 */
export class Coalescer<T> {
  readonly #pauseMs: number;
  readonly #handle: (items: T[]) => Promise<void>;
  readonly #items = new Set<T>();
  #isRunning = false;

  constructor(pauseMs: number, handle: (items: T[]) => Promise<void>) {
    this.#pauseMs = pauseMs;
    this.#handle = handle;
  }

  add(item: T) {
    this.#items.add(item);
    if (!this.#isRunning) void this.#run();
  }

  async #run() {
    this.#isRunning = true;
    while (this.#items.size > 0) {
      const items = [...this.#items];
      this.#items.clear();
      await this.#handle(items);
      await sleep(this.#pauseMs, undefined, { ref: false });
    }
    this.#isRunning = false;
  }
}
