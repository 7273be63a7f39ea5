import { BufferPool } from "../../concurrency/buffer-pool.ts";

/*
 * Writes PostgreSQL's binary COPY format into one growing buffer: a header; per row the number of fields and per field
 * its length (-1 for null) and bytes; then -1. Integers are big-endian. The buffer is a complete sequence of protocol
 * messages, ready for the socket: CopyData ('d', length, data) and CopyDone ('c', length).
 */
const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const COPY_DATA_HEADER_BYTES = 5;
const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
const TEXT_OID = 25;
const BIGINT_OID = 20;
/** PostgreSQL timestamps are microseconds since 2000-01-01. */
const EPOCH_2000_MS = 946_684_800_000;
const TWO_TO_32 = 2 ** 32;

const buffers = new BufferPool(32 * 1024 * 1024);

export class BinaryRows {
  #buffer: Buffer;
  #offset = 0;
  /** Number of rows begun. */
  count = 0;

  constructor(expectedBytes: number) {
    this.#buffer = buffers.acquire(expectedBytes + 64);
    this.#offset = COPY_DATA_HEADER_BYTES + SIGNATURE.copy(this.#buffer, COPY_DATA_HEADER_BYTES);
    this.#buffer.fill(0, this.#offset, this.#offset + 8);
    this.#offset += 8;
  }

  beginRow(fieldCount: number) {
    this.#reserve(2);
    this.#offset = this.#buffer.writeInt16BE(fieldCount, this.#offset);
    this.count += 1;
  }

  text(value: string | null) {
    if (value === null) return this.#null();
    // UTF-8 needs at most three bytes per UTF-16 code unit. The length is filled in after writing.
    this.#reserve(4 + value.length * 3);
    const length = this.#buffer.write(value, this.#offset + 4, "utf8");
    this.#buffer.writeInt32BE(length, this.#offset);
    this.#offset += 4 + length;
  }

  bytes(value: Uint8Array | null) {
    if (value === null) return this.#null();
    this.#reserve(4 + value.length);
    this.#offset = this.#buffer.writeInt32BE(value.length, this.#offset);
    this.#buffer.set(value, this.#offset);
    this.#offset += value.length;
  }

  boolean(value: boolean | null) {
    if (value === null) return this.#null();
    this.#reserve(5);
    this.#offset = this.#buffer.writeUInt8(Number(value), this.#buffer.writeInt32BE(1, this.#offset));
  }

  smallint(value: number) {
    this.#reserve(6);
    this.#buffer.writeInt32BE(2, this.#offset);
    this.#offset = this.#buffer.writeInt16BE(value, this.#offset + 4);
  }

  integer(value: number) {
    this.#reserve(8);
    this.#buffer.writeInt32BE(4, this.#offset);
    this.#offset = this.#buffer.writeInt32BE(value, this.#offset + 4);
  }

  /** Takes an integer that a number holds exactly. */
  bigint(value: number | null) {
    if (value === null) return this.#null();
    const high = Math.floor(value / TWO_TO_32);
    this.#reserve(12);
    this.#buffer.writeInt32BE(8, this.#offset);
    this.#buffer.writeInt32BE(high, this.#offset + 4);
    this.#offset = this.#buffer.writeUInt32BE(value - high * TWO_TO_32, this.#offset + 8);
  }

  double(value: number | null) {
    if (value === null) return this.#null();
    this.#reserve(12);
    this.#buffer.writeInt32BE(8, this.#offset);
    this.#offset = this.#buffer.writeDoubleBE(value, this.#offset + 4);
  }

  /** Takes milliseconds since 1970. */
  timestamp(value: number | null) {
    if (value === null) return this.#null();
    const sinceEpochMs = value - EPOCH_2000_MS;
    // Microseconds exceed what a number holds exactly, and a BigInt would cost an allocation: two 32-bit halves instead.
    const highMs = Math.floor(sinceEpochMs / TWO_TO_32);
    const low = (sinceEpochMs - highMs * TWO_TO_32) * 1_000;
    const carry = Math.floor(low / TWO_TO_32);
    this.#reserve(12);
    this.#buffer.writeInt32BE(8, this.#offset);
    this.#buffer.writeInt32BE(highMs * 1_000 + carry, this.#offset + 4);
    this.#offset = this.#buffer.writeUInt32BE(low - carry * TWO_TO_32, this.#offset + 8);
  }

  textArray(values: string[]) {
    this.#reserve(24);
    const start = this.#offset;
    const dimensions = values.length > 0 ? 1 : 0;
    for (const part of [0, dimensions, 0, TEXT_OID, ...(dimensions ? [values.length, 1] : [])])
      this.#offset = this.#buffer.writeInt32BE(part, this.#offset);
    for (const value of values) this.text(value);
    this.#buffer.writeInt32BE(this.#offset - start - 4, start);
  }

  bigintArray(values: number[] | null) {
    if (values === null) return this.#null();
    this.#reserve(24);
    const start = this.#offset;
    const dimensions = values.length > 0 ? 1 : 0;
    for (const part of [0, dimensions, 0, BIGINT_OID, ...(dimensions ? [values.length, 1] : [])])
      this.#offset = this.#buffer.writeInt32BE(part, this.#offset);
    for (const value of values) this.bigint(value);
    this.#buffer.writeInt32BE(this.#offset - start - 4, start);
  }

  /** Returns the finished messages. */
  end(): Buffer {
    this.#reserve(2 + COPY_DONE.length);
    this.#offset = this.#buffer.writeInt16BE(-1, this.#offset);
    this.#buffer[0] = COPY_DATA;
    this.#buffer.writeInt32BE(this.#offset - 1, 1);
    this.#offset += COPY_DONE.copy(this.#buffer, this.#offset);
    return this.#buffer.subarray(0, this.#offset);
  }

  /** Call after the server has read everything. */
  release() {
    buffers.release(this.#buffer);
  }

  #null() {
    this.#reserve(4);
    this.#offset = this.#buffer.writeInt32BE(-1, this.#offset);
  }

  #reserve(bytes: number) {
    if (this.#offset + bytes <= this.#buffer.length) return;
    const larger = buffers.acquire(Math.max(this.#buffer.length * 2, this.#offset + bytes));
    this.#buffer.copy(larger, 0, 0, this.#offset);
    buffers.release(this.#buffer);
    this.#buffer = larger;
  }
}
