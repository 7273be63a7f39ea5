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

/** A response of server-sent events. A reader that is too slow is disconnected and can resume from its cursor. */
export class EventStream extends Readable {
  constructor() {
    super({ read() {} });
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  send(event: Buffer) {
    if (this.destroyed || this.readableEnded) return;
    this.push(event);
    if (this.readableLength > MAX_BUFFERED_BYTES) this.destroy();
  }

  end() {
    if (!this.destroyed) this.push(null);
  }
}
