import { setTimeout as sleep } from "node:timers/promises";

/**
 * Collects items and hands them to `round`, the first at once, those that come meanwhile together in the next one, a
 * pause later. Many items are thus few rounds, and a lone one waits for nothing. `round` does not throw.
 */
export class Coalescer<T> {
  readonly #pauseMs: number;
  readonly #round: (items: T[]) => Promise<void>;
  readonly #items = new Set<T>();
  #isRunning = false;

  constructor(pauseMs: number, round: (items: T[]) => Promise<void>) {
    this.#pauseMs = pauseMs;
    this.#round = round;
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
      await this.#round(items);
      await sleep(this.#pauseMs, undefined, { ref: false });
    }
    this.#isRunning = false;
  }
}
