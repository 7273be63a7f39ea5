import { HttpError } from "../../http/http-error.ts";
import { MAX_VALUES } from "../../ingest/json-errors.ts";

/*
 * Moves over a protobuf message, field by field, without building a tree. A message inside the message is read between
 * enter() and leave():
 *
 *   const outerEnd = reader.enter();
 *   while (reader.next())
 *     if (reader.field === 1) name = reader.text();
 *     else reader.skip();
 *   reader.leave(outerEnd);
 *
 * Every read is checked against the end of its message, and the number of messages is bounded, so no request costs more
 * than one pass. Groups, which no message of OTLP has, are refused.
 */

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** 2^32 nanoseconds are this many milliseconds, and this many nanoseconds more. */
const HIGH_MS = 4_294;
const HIGH_REST_NS = 967_296;
const NS_PER_MS = 1_000_000;
const HIGH = 4_294_967_296;

/** How many bytes are read before a pause is due. */
const STEP_BYTES = 32 * 1024;

/** Longer texts are decoded by a call of their own: it costs less than looking at each byte here. */
const SHORT_TEXT = 48;
const CHUNK_BYTES = 512;

export class ProtobufReader {
  readonly #bytes: Buffer;
  /** The offset of the next byte. */
  position = 0;
  /** The number of the field that next() found. */
  field = 0;
  #wireType = 0;
  /** Where the message that is being read ends. */
  #end: number;
  #messageCount = 0;
  #stepEnd = STEP_BYTES;
  /** The two halves of the last varint or 64-bit number. */
  #low = 0;
  #high = 0;
  /** A chunk of the request, decoded as Latin-1: where the bytes are ASCII, the chunk is their text. */
  #chunk = "";
  #chunkStart = 0;
  readonly #view: DataView;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#end = bytes.length;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Moves to the next field of the message; false at the message's end. */
  next(): boolean {
    if (this.position === this.#end) return false;
    const tag = this.#uint32();
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    if (this.field === 0) this.fail("0 is no field number");
    return true;
  }

  /** Enters the message that is the value of the field. Returns what leave() needs. */
  enter(): number {
    this.#messageCount += 1;
    if (this.#messageCount > MAX_VALUES) this.fail(`a request has at most ${MAX_VALUES} values`);
    const outerEnd = this.#end;
    this.#end = this.#bytesEnd();
    return outerEnd;
  }

  leave(outerEnd: number) {
    this.#end = outerEnd;
  }

  /** Skips a field whose number means nothing here. */
  skip() {
    if (this.#wireType === VARINT) this.#varint();
    else if (this.#wireType === FIXED64) this.#fixed(8);
    else if (this.#wireType === BYTES) this.position = this.#bytesEnd();
    else if (this.#wireType === FIXED32) this.#fixed(4);
    else this.fail(`field ${this.field} has wire type ${this.#wireType}, which OTLP does not use`);
  }

  /** Invalid UTF-8 is replaced by U+FFFD. */
  text(): string {
    const end = this.#bytesEnd();
    const start = this.position;
    this.position = end;
    if (end - start > SHORT_TEXT || !this.#isAscii(start, end))
      return this.#bytes.toString("utf8", start, end);
    if (start < this.#chunkStart || end > this.#chunkStart + this.#chunk.length) {
      this.#chunkStart = start;
      this.#chunk = this.#bytes.toString("latin1", start, start + CHUNK_BYTES);
    }
    return this.#chunk.slice(start - this.#chunkStart, end - this.#chunkStart);
  }

  base64(): string {
    return this.#encoded("base64");
  }

  hex(): string {
    return this.#encoded("hex");
  }

  boolean(): boolean {
    this.#expect(VARINT);
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  /** A number of at most 32 bits. A longer one is truncated, as protobuf does. */
  uint32(): number {
    this.#expect(VARINT);
    this.#varint();
    return this.#low;
  }

  /** A signed integer: a number, or its digits if a number would change it. */
  int64(): number | string {
    this.#expect(VARINT);
    this.#varint();
    const value = (this.#high | 0) * HIGH + this.#low;
    if (Number.isSafeInteger(value)) return value;
    return String(BigInt.asIntN(64, (BigInt(this.#high) << 32n) | BigInt(this.#low)));
  }

  double(): number {
    this.#expect(FIXED64);
    return this.#view.getFloat64(this.#fixed(8), true);
  }

  /** Nanoseconds, as milliseconds with their fraction. Whole milliseconds are exact. */
  timeMs(): number {
    this.#expect(FIXED64);
    const start = this.#fixed(8);
    const low = this.#view.getUint32(start, true);
    const high = this.#view.getUint32(start + 4, true);
    const restNs = high * HIGH_REST_NS + low;
    const restMs = Math.floor(restNs / NS_PER_MS);
    return high * HIGH_MS + restMs + (restNs - restMs * NS_PER_MS) / NS_PER_MS;
  }

  /** Whether enough was read since the last pause for the caller to let other work run. */
  isPauseDue(): boolean {
    if (this.position < this.#stepEnd) return false;
    this.#stepEnd = this.position + STEP_BYTES;
    return true;
  }

  fail(what: string): never {
    throw new HttpError(400, `Invalid protobuf in request body at byte ${this.position}: ${what}`);
  }

  #expect(wireType: number) {
    if (this.#wireType !== wireType)
      this.fail(`field ${this.field} has wire type ${this.#wireType}, expected ${wireType}`);
  }

  #encoded(encoding: "base64" | "hex"): string {
    const end = this.#bytesEnd();
    const start = this.position;
    this.position = end;
    return this.#bytes.toString(encoding, start, end);
  }

  /** Reads the length of a field and returns where its bytes end. */
  #bytesEnd(): number {
    this.#expect(BYTES);
    const length = this.#uint32();
    if (length > this.#end - this.position)
      this.fail(`field ${this.field} is ${length} bytes long, but only ${this.#end - this.position} follow`);
    return this.position + length;
  }

  /** Moves over a number of fixed size and returns where it starts. */
  #fixed(size: number): number {
    const start = this.position;
    if (size > this.#end - start) this.fail(`field ${this.field} is cut off`);
    this.position = start + size;
    return start;
  }

  #uint32(): number {
    const byte = this.#bytes[this.position] ?? 0;
    if (byte < 0x80 && this.position < this.#end) {
      this.position += 1;
      return byte;
    }
    this.#varint();
    if (this.#high !== 0) this.fail("a field number or length has more than 32 bits");
    return this.#low;
  }

  /** Reads at most ten bytes of seven bits each, the lowest first, into #low and #high. */
  #varint() {
    const bytes = this.#bytes;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.position >= this.#end) this.fail("a number is cut off");
      const byte = bytes[this.position] ?? 0;
      this.position += 1;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high = bits >>> 4;
      else if (shift > 28) high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return;
      }
    }
    this.fail("a number has more than ten bytes");
  }

  #isAscii(start: number, end: number): boolean {
    const bytes = this.#bytes;
    let combined = 0;
    for (let at = start; at < end; at += 1) combined |= bytes[at] ?? 0;
    return combined < 0x80;
  }
}
