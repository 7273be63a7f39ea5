/** Finds the longest time in which a counter does not change. */
export class PauseWatch {
  readonly #timer: NodeJS.Timeout;
  #longestMs = 0;

  constructor(read: () => number) {
    let last = read();
    let changedAt = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#longestMs = Math.max(this.#longestMs, now - changedAt);
      if (read() === last) return;
      last = read();
      changedAt = now;
    }, 5);
  }

  stop(): number {
    clearInterval(this.#timer);
    return this.#longestMs;
  }
}
