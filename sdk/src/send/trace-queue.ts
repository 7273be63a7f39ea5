import type { Recording } from "../recording.ts";

export interface QueueLimits {
  maxQueuedTraces: number;
  maxQueuedWeight: number;
}

/**
 * Recordings to send, oldest first. Each is queued once and serialized when it is taken, so that always its newest
 * state is sent. Recordings in flight count towards the limits but are never dropped.
 */
export class TraceQueue {
  readonly #waiting = new Map<string, Recording>();
  readonly #inFlight = new Set<Recording>();
  readonly #limits: QueueLimits;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Includes the recordings in flight, unlike `length`. */
  get size(): number {
    let count = this.#waiting.size;
    for (const recording of this.#inFlight) if (!this.#waiting.has(recording.key)) count++;
    return count;
  }

  get weight(): number {
    let weight = 0;
    for (const recording of this.#waiting.values()) weight += recording.weight;
    return weight;
  }

  /** Returns the recordings dropped to stay within the limits: running ones first, then the oldest. */
  add(recording: Recording): Recording[] {
    this.#waiting.set(recording.key, recording);
    return this.#makeRoom();
  }

  *[Symbol.iterator](): Generator<Recording> {
    yield* this.#waiting.values();
  }

  take(recording: Recording): void {
    this.#waiting.delete(recording.key);
    this.#inFlight.add(recording);
  }

  /** Ends the flight of a recording that was acknowledged or dropped. */
  complete(recording: Recording): void {
    this.#inFlight.delete(recording);
  }

  /** Puts recordings back at the front, in their previous order. Returns the recordings dropped. */
  requeue(recordings: Recording[]): Recording[] {
    const rest = [...this.#waiting];
    this.#waiting.clear();
    for (const recording of recordings) {
      this.#inFlight.delete(recording);
      this.#waiting.set(recording.key, recording);
    }
    for (const [key, recording] of rest) this.#waiting.set(key, recording);
    return this.#makeRoom();
  }

  dropRunning(): Recording[] {
    const dropped = [...this.#waiting.values()].filter((recording) => !recording.isFinal);
    for (const { key } of dropped) this.#waiting.delete(key);
    return dropped;
  }

  clear(): void {
    this.#inFlight.clear();
    this.#waiting.clear();
  }

  /** All recordings, waiting or in flight. */
  unacknowledged(): Recording[] {
    return [...new Set([...this.#inFlight, ...this.#waiting.values()])];
  }

  #makeRoom(): Recording[] {
    let [count, weight] = [this.size, this.weight];
    for (const recording of this.#inFlight) if (!this.#waiting.has(recording.key)) weight += recording.weight;
    const dropped: Recording[] = [];
    for (const isDroppable of [(one: Recording) => !one.isFinal, () => true])
      for (const recording of this.#waiting.values()) {
        if (count <= this.#limits.maxQueuedTraces && weight <= this.#limits.maxQueuedWeight) return dropped;
        if (!isDroppable(recording)) continue;
        this.#waiting.delete(recording.key);
        dropped.push(recording);
        count--;
        weight -= recording.weight;
      }
    return dropped;
  }
}
