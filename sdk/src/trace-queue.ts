import type { Recording } from "./recording.ts";

export interface QueueBounds {
  maxTraces: number;
  maxWeight: number;
}

/**
 * Recordings to send, oldest first, each once: it is written out only when it is taken, so the newest state always
 * wins. What is on its way counts against the bounds and is never dropped here.
 */
export class TraceQueue {
  readonly #waiting = new Map<string, Recording>();
  readonly #taken = new Set<Recording>();
  readonly #bounds: QueueBounds;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Those on their way included. */
  get size(): number {
    let count = this.#waiting.size;
    for (const recording of this.#taken) if (!this.#waiting.has(recording.trace.id)) count++;
    return count;
  }

  get weight(): number {
    let weight = 0;
    for (const recording of this.#waiting.values()) weight += recording.weight;
    return weight;
  }

  /** Returns what had to go to make room: running ones first, then the oldest. */
  add(recording: Recording): Recording[] {
    this.#waiting.set(recording.trace.id, recording);
    return this.#makeRoom();
  }

  *[Symbol.iterator](): Generator<Recording> {
    yield* this.#waiting.values();
  }

  take(recording: Recording): void {
    this.#waiting.delete(recording.trace.id);
    this.#taken.add(recording);
  }

  /** Answered for good. */
  settle(recording: Recording): void {
    this.#taken.delete(recording);
  }

  /** Back to the front, in their old order. */
  putBack(recordings: Recording[]): Recording[] {
    const rest = [...this.#waiting];
    this.#waiting.clear();
    for (const recording of recordings) {
      this.#taken.delete(recording);
      this.#waiting.set(recording.trace.id, recording);
    }
    for (const [id, recording] of rest) this.#waiting.set(id, recording);
    return this.#makeRoom();
  }

  dropRunning(): Recording[] {
    return this.#drop((recording) => !recording.isFinal);
  }

  clear(): Recording[] {
    this.#taken.clear();
    return this.#drop(() => true);
  }

  /** Everything not answered for, whether waiting or on its way. */
  unanswered(): Recording[] {
    return [...new Set([...this.#taken, ...this.#waiting.values()])];
  }

  #makeRoom(): Recording[] {
    let [count, weight] = [this.size, this.weight];
    for (const recording of this.#taken)
      if (!this.#waiting.has(recording.trace.id)) weight += recording.weight;
    const dropped: Recording[] = [];
    for (const isDroppable of [(one: Recording) => !one.isFinal, () => true])
      for (const recording of this.#waiting.values()) {
        if (count <= this.#bounds.maxTraces && weight <= this.#bounds.maxWeight) return dropped;
        if (!isDroppable(recording)) continue;
        this.#waiting.delete(recording.trace.id);
        dropped.push(recording);
        count--;
        weight -= recording.weight;
      }
    return dropped;
  }

  #drop(isDroppable: (recording: Recording) => boolean): Recording[] {
    const dropped = [...this.#waiting.values()].filter(isDroppable);
    for (const { trace } of dropped) this.#waiting.delete(trace.id);
    return dropped;
  }
}
