import type { Sendable } from "./sendable.ts";

/**
 * Traces or scores to send, oldest first. Each is queued once and serialized when it is taken, so that always its newest
 * state is sent. Items in flight count towards the limits but are never dropped.
 */
export class SendQueue {
  readonly #waiting = new Map<string, Sendable>();
  readonly #inFlight = new Set<Sendable>();
  readonly #maxSize: number;
  readonly #maxWeight: number;

  constructor(maxSize: number, maxWeight: number) {
    this.#maxSize = maxSize;
    this.#maxWeight = maxWeight;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Includes the items in flight, unlike `length`. */
  get size(): number {
    let count = this.#waiting.size;
    for (const item of this.#inFlight) if (!this.#waiting.has(item.key)) count++;
    return count;
  }

  get weight(): number {
    let weight = 0;
    for (const item of this.#waiting.values()) weight += item.weight;
    return weight;
  }

  /** Returns the items dropped to stay within the limits: running traces first, then the oldest. */
  add(item: Sendable): Sendable[] {
    this.#waiting.set(item.key, item);
    return this.#makeRoom();
  }

  *[Symbol.iterator](): Generator<Sendable> {
    yield* this.#waiting.values();
  }

  take(item: Sendable): void {
    // Another score of the same key may have taken its place.
    if (this.#waiting.get(item.key) === item) this.#waiting.delete(item.key);
    this.#inFlight.add(item);
  }

  /** Ends the flight of an item that was acknowledged or dropped. */
  complete(item: Sendable): void {
    this.#inFlight.delete(item);
  }

  /** Puts items back at the front, in their previous order. Returns the items dropped. */
  requeue(items: Sendable[]): Sendable[] {
    const rest = [...this.#waiting];
    this.#waiting.clear();
    for (const item of items) {
      this.#inFlight.delete(item);
      this.#waiting.set(item.key, item);
    }
    for (const [key, item] of rest) this.#waiting.set(key, item);
    return this.#makeRoom();
  }

  dropRunning(): Sendable[] {
    const dropped = [...this.#waiting.values()].filter((item) => !item.isFinal);
    for (const { key } of dropped) this.#waiting.delete(key);
    return dropped;
  }

  clear(): void {
    this.#inFlight.clear();
    this.#waiting.clear();
  }

  /** All items, waiting or in flight. */
  unacknowledged(): Sendable[] {
    return [...new Set([...this.#inFlight, ...this.#waiting.values()])];
  }

  #makeRoom(): Sendable[] {
    let { size, weight } = this;
    for (const item of this.#inFlight) if (!this.#waiting.has(item.key)) weight += item.weight;
    const dropped: Sendable[] = [];
    for (const isDroppable of [(one: Sendable) => !one.isFinal, () => true])
      for (const item of this.#waiting.values()) {
        if (size <= this.#maxSize && weight <= this.#maxWeight) return dropped;
        if (!isDroppable(item)) continue;
        this.#waiting.delete(item.key);
        dropped.push(item);
        size--;
        weight -= item.weight;
      }
    return dropped;
  }
}
