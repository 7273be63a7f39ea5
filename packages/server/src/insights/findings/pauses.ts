/** About half a millisecond of work. */
const WORK_PER_STEP = 5_000;

/** Tells a generator when to yield, so that other work can run between its steps. */
export class Pauses {
  #left = WORK_PER_STEP;

  /** `work` is about as many visits of a turn. */
  isDue(work = 1): boolean {
    this.#left -= work;
    if (this.#left > 0) return false;
    this.#left = WORK_PER_STEP;
    return true;
  }
}
