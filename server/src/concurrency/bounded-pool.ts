import { Overloaded } from "./overloaded.ts";

/**
 * Lets at most `running` calls run and `waiting` wait their turn, first come, first served; whoever comes after
 * that is told to come back, which costs nothing.
 */
export class BoundedPool {
  readonly #running: number;
  readonly #waiting: number;
  readonly #queue: (() => void)[] = [];
  #active = 0;

  constructor({ running, waiting }: { running: number; waiting: number }) {
    this.#running = running;
    this.#waiting = waiting;
  }

  get depth() {
    return this.#active + this.#queue.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#active < this.#running) this.#active += 1;
    else if (this.#queue.length < this.#waiting) await new Promise<void>((turn) => this.#queue.push(turn));
    else throw new Overloaded(2);
    try {
      return await work();
    } finally {
      // The place goes straight to the next in line, so that nobody can slip in between.
      const next = this.#queue.shift();
      if (next) next();
      else this.#active -= 1;
    }
  }
}
