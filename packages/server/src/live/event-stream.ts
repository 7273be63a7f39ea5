import { Readable } from "node:stream";
import { type Cursor, formatCursor } from "./cursor.ts";

/** Buffered in memory for a slow reader: four events of maximum size. */
const MAX_BUFFERED_BYTES = 256 * 1_024;
const RETRY_MS = 1_000;

/** Encodes a server-sent event, to send to any number of streams. `data` is JSON without line breaks. */
export function encodeEvent(event: string, data: string, cursor?: Cursor): Buffer {
  const id = cursor ? `id: ${formatCursor(cursor)}\n` : "";
  return Buffer.from(`event: ${event}\n${id}data: ${data}\n\n`);
}

/**
 * A response of server-sent events. While it holds events that its reader has not taken, it is not ready for more. A reader that
 * takes none for too long is disconnected, and can resume from its cursor.
 */
export class EventStream extends Readable {
  #fullSince: number | undefined;
  #onDrain: () => void;

  constructor(onDrain: () => void = () => {}) {
    super();
    this.#onDrain = onDrain;
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  /** Called when the reader has taken what was buffered. */
  override _read() {
    if (this.#fullSince === undefined) return;
    this.#fullSince = undefined;
    this.#onDrain();
  }

  get isFull() {
    return this.#fullSince !== undefined;
  }

  send(event: Buffer) {
    if (this.destroyed || this.readableEnded) return;
    if (!this.push(event)) this.#fullSince ??= performance.now();
    if (this.readableLength > MAX_BUFFERED_BYTES) this.destroy();
  }

  /** Disconnects a reader that has taken nothing for this time. */
  endIfStuck(maxMs: number) {
    if (this.#fullSince !== undefined && performance.now() - this.#fullSince > maxMs) this.destroy();
  }

  end() {
    if (!this.destroyed) this.push(null);
  }
}
