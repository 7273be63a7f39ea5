import { Readable } from "node:stream";
import { type Cursor, formatCursor } from "./cursor.ts";

/** What may wait for a reader beside what the network holds: four of the largest events. */
const WAITING_MAX_BYTES = 256 * 1_024;
const RETRY_MS = 1_000;

/** An event as it goes out, to be sent to any number of streams. `data` is JSON, which has no line breaks. */
export function encodeEvent(event: string, data: string, cursor?: Cursor): Buffer {
  const id = cursor ? `id: ${formatCursor(cursor)}\n` : "";
  return Buffer.from(`event: ${event}\n${id}data: ${data}\n\n`);
}

/** One answer of server-sent events. A reader that does not keep up is cut off, and resumes where it was. */
export class EventStream extends Readable {
  constructor() {
    super({ read() {} });
    this.push(`retry: ${RETRY_MS}\n\n`);
  }

  send(event: Buffer) {
    if (this.destroyed || this.readableEnded) return;
    this.push(event);
    if (this.readableLength > WAITING_MAX_BYTES) this.destroy();
  }

  end() {
    if (!this.destroyed) this.push(null);
  }
}
