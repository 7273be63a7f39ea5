import { Overloaded } from "./overloaded.ts";

/**
 * Runs at most `maxRunning` calls at once and queues up to `maxWaiting` more, first in, first out. Throws Overloaded
 * when the queue is full.
 */
export class BoundedPool {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** Calls that run or wait. */
  get depth() {
    return this.#running + this.#queue.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#maxRunning) this.#running += 1;
    else if (this.#queue.length < this.#maxWaiting)
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    else throw new Overloaded(2);
    try {
      return await work();
    } finally {
      // The slot passes directly to the next waiting call, so that a new call cannot overtake it.
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
