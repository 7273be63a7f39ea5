import { BufferPool } from "../concurrency/buffer-pool.ts";

/*
 * PostgreSQL's binary COPY format, written into one growing buffer: a header, then each row as the number of its
 * fields and each field as its length (-1 for null) and its bytes, then -1. Integers are big-endian. Around it stand
 * the marks of the wire protocol, so that the buffer goes to the socket as it is: 'd' and the length before, the
 * message 'c' (done) behind.
 */
const DATA = 0x64;
const DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const DATA_MARK_BYTES = 5;
const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
const TEXT_OID = 25;
/** Timestamps count microseconds from here. */
const EPOCH_2000_MS = 946_684_800_000;

const buffers = new BufferPool(32 * 1024 * 1024);

export class BinaryRows {
  #buffer: Buffer;
  #at = 0;
  /** Rows begun so far. */
  count = 0;

  constructor(expectedBytes: number) {
    this.#buffer = buffers.acquire(expectedBytes + 64);
    this.#at = DATA_MARK_BYTES + SIGNATURE.copy(this.#buffer, DATA_MARK_BYTES);
    this.#buffer.fill(0, this.#at, this.#at + 8);
    this.#at += 8;
  }

  /** Begins a row of so many fields. */
  beginRow(fields: number) {
    this.#reserve(2);
    this.#at = this.#buffer.writeInt16BE(fields, this.#at);
    this.count += 1;
  }

  text(value: string | null) {
    if (value === null) return this.#null();
    // Three bytes a UTF-16 unit at the most; the length is known once it is written.
    this.#reserve(4 + value.length * 3);
    const length = this.#buffer.write(value, this.#at + 4, "utf8");
    this.#buffer.writeInt32BE(length, this.#at);
    this.#at += 4 + length;
  }

  bytes(value: Uint8Array | null) {
    if (value === null) return this.#null();
    this.#reserve(4 + value.length);
    this.#at = this.#buffer.writeInt32BE(value.length, this.#at);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  integer(value: number) {
    this.#reserve(8);
    this.#buffer.writeInt32BE(4, this.#at);
    this.#at = this.#buffer.writeInt32BE(value, this.#at + 4);
  }

  double(value: number | null) {
    if (value === null) return this.#null();
    this.#reserve(12);
    this.#buffer.writeInt32BE(8, this.#at);
    this.#at = this.#buffer.writeDoubleBE(value, this.#at + 4);
  }

  /** From milliseconds since 1970. */
  timestamp(value: number | null) {
    if (value === null) return this.#null();
    const microseconds = (value - EPOCH_2000_MS) * 1_000;
    this.#reserve(12);
    this.#buffer.writeInt32BE(8, this.#at);
    // Two halves: a 64-bit integer written as BigInt would cost an allocation each.
    this.#buffer.writeInt32BE(Math.floor(microseconds / 2 ** 32), this.#at + 4);
    this.#at = this.#buffer.writeUInt32BE(((microseconds % 2 ** 32) + 2 ** 32) % 2 ** 32, this.#at + 8);
  }

  textArray(values: string[]) {
    this.#reserve(24);
    const start = this.#at;
    const dimensions = values.length > 0 ? 1 : 0;
    for (const part of [0, dimensions, 0, TEXT_OID, ...(dimensions ? [values.length, 1] : [])])
      this.#at = this.#buffer.writeInt32BE(part, this.#at);
    for (const value of values) this.text(value);
    this.#buffer.writeInt32BE(this.#at - start - 4, start);
  }

  /** The finished messages, for the socket. */
  end(): Buffer {
    this.#reserve(2 + DONE.length);
    this.#at = this.#buffer.writeInt16BE(-1, this.#at);
    this.#buffer[0] = DATA;
    this.#buffer.writeInt32BE(this.#at - 1, 1);
    this.#at += DONE.copy(this.#buffer, this.#at);
    return this.#buffer.subarray(0, this.#at);
  }

  /** Once the server has read everything. */
  release() {
    buffers.release(this.#buffer);
  }

  #null() {
    this.#reserve(4);
    this.#at = this.#buffer.writeInt32BE(-1, this.#at);
  }

  #reserve(bytes: number) {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = buffers.acquire(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    buffers.release(this.#buffer);
    this.#buffer = larger;
  }
}
