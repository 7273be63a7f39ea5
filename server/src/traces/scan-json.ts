import { isUtf8 } from "node:buffer";
import { RawJson } from "@whytrace/contract";

/*
 * Reads a request body once, byte by byte, and builds only what has to be looked at. Payload values are checked to
 * be JSON and handed on as the bytes they were sent in, so they are stored and given back exactly (2^53+1, 1e400,
 * "\u0000", duplicate keys), and nobody parses and prints them on the way.
 *
 * A shape says what is wanted at a place:
 *   - a record: the fields named in it, each by its own shape; other fields are checked and dropped; of a field
 *     that stands twice the last one counts, as with JSON.parse;
 *   - a list: every item by one shape;
 *   - PLAIN: the value as JSON.parse would give it;
 *   - RAW: the value's bytes.
 * A value of another kind than its shape (a list where a record should be) is read as PLAIN: whoever checks the
 * result will refuse it.
 *
 * The grammar is RFC 8259's and accepts and refuses what JSON.parse does:
 *   value  = object | array | string | number | "true" | "false" | "null", with blanks (space, \t, \n, \r) around
 *   string = '"' ( any but '"', '\' and below 0x20 | '\' one of "\/bfnrt | '\u' four hex digits )* '"'
 *   number = '-'? ( '0' | [1-9][0-9]* ) ( '.' [0-9]+ )? ( [eE] [+-]? [0-9]+ )?
 * The bytes must be UTF-8. Depth and number of values are bounded as they are met, so that no body, however it is
 * built, costs more than one pass.
 */

export const DEPTH_MAX = 256;
export const VALUES_MAX = 1_000_000;

export const PLAIN = "plain";
export const RAW = "raw";
export type Shape = typeof PLAIN | typeof RAW | { list: Shape } | { record: ReadonlyMap<string, Shape> };

/** The text is not JSON. */
export class JsonSyntaxError extends Error {
  override name = "JsonSyntaxError";
}

/** The text is JSON, but more of it than we take. */
export class JsonBoundError extends Error {
  override name = "JsonBoundError";
}

/** A number of more characters than this is none that a double could hold. */
const NUMBER_MAX_LENGTH = 1_000;
/** How much is read in one go before others get their turn. */
const TURN_BYTES = 128 * 1024;

/** The whole in one go. */
export function scanJson(bytes: Buffer, shape: Shape): unknown {
  const steps = scanSteps(bytes, shape);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Pauses after every piece: whoever runs it may let others have their turn meanwhile. */
export function* scanSteps(bytes: Buffer, shape: Shape): Generator<undefined, unknown> {
  if (!isUtf8(bytes)) throw new JsonSyntaxError();
  const scanner = new Scanner(bytes);
  const value = yield* scanner.value(shape, 1);
  scanner.end();
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_RECORD = 0x7b;
const CLOSE_RECORD = 0x7d;

const flags = (characters: string) => {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
};
const BLANK = flags(" \t\n\r");
const HEX = flags("0123456789abcdefABCDEF");
const ESCAPED = flags('"\\/bfnrt');
/** Bytes at which a string ends, escapes, or is wrong. */
const STRING_STOP = flags(
  `"\\${Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join("")}`,
);

class Scanner {
  readonly #bytes: Buffer;
  #at = 0;
  #values = 0;
  /** Whether the string just read holds an escape. */
  #hasEscape = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Nothing but blanks may follow. */
  end() {
    this.#skipBlanks();
    if (this.#at < this.#bytes.length) throw new JsonSyntaxError();
  }

  *value(shape: Shape, depth: number): Generator<undefined, unknown> {
    this.#skipBlanks();
    const first = this.#bytes[this.#at];
    if (typeof shape === "object") {
      if ("record" in shape && first === OPEN_RECORD) return yield* this.#record(shape.record, depth);
      if ("list" in shape && first === OPEN_LIST) return yield* this.#list(shape.list, depth);
    }
    return this.#leaf(shape, first, depth);
  }

  #leaf(shape: Shape, first: number | undefined, depth: number): unknown {
    const start = this.#at;
    this.#skipValue(depth);
    if (shape === RAW) return new RawJson(this.#bytes.subarray(start, this.#at));
    return this.#plain(start, first);
  }

  *#record(fields: ReadonlyMap<string, Shape>, depth: number): Generator<undefined, Record<string, unknown>> {
    this.#count(depth);
    const result: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#closes(CLOSE_RECORD)) return result;
    do {
      const key = this.#key();
      const shape = fields.get(key);
      this.#skipBlanks();
      if (shape === undefined) this.#skipValue(depth + 1);
      else if (typeof shape === "string") result[key] = this.#leaf(shape, this.#bytes[this.#at], depth + 1);
      else result[key] = yield* this.value(shape, depth + 1);
    } while (this.#continues(CLOSE_RECORD));
    return result;
  }

  *#list(item: Shape, depth: number): Generator<undefined, unknown[]> {
    this.#count(depth);
    const result: unknown[] = [];
    this.#at += 1;
    if (this.#closes(CLOSE_LIST)) return result;
    do {
      if (this.#at > this.#turnEnd) {
        yield;
        this.#turnEnd = this.#at + TURN_BYTES;
      }
      result.push(yield* this.value(item, depth + 1));
    } while (this.#continues(CLOSE_LIST));
    return result;
  }

  #turnEnd = TURN_BYTES;

  /** A key and the colon behind it. */
  #key(): string {
    this.#skipBlanks();
    const start = this.#at;
    this.#skipString();
    const key = this.#string(start, this.#at);
    this.#colon();
    return key;
  }

  /** Checks one value of any kind and moves behind it; nesting is a stack of our own, not of the engine's. */
  #skipValue(outerDepth: number) {
    const bytes = this.#bytes;
    const open: number[] = [];
    for (;;) {
      const byte = bytes[this.#at];
      this.#count(outerDepth + open.length);
      if (byte === QUOTE) this.#skipString();
      else if (byte === OPEN_RECORD || byte === OPEN_LIST) {
        const close = byte + 2;
        this.#at += 1;
        if (!this.#closes(close)) {
          open.push(close);
          if (close === CLOSE_RECORD) this.#skipKey();
          this.#skipBlanks();
          continue;
        }
      } else if (byte === 0x74) this.#skipWord("true");
      else if (byte === 0x66) this.#skipWord("false");
      else if (byte === 0x6e) this.#skipWord("null");
      else this.#skipNumber();

      // A value has ended: so do the containers it was the last of.
      for (;;) {
        const close = open.at(-1);
        if (close === undefined) return;
        if (this.#continues(close)) {
          if (close === CLOSE_RECORD) this.#skipKey();
          this.#skipBlanks();
          break;
        }
        open.pop();
      }
    }
  }

  #skipKey() {
    this.#skipBlanks();
    this.#skipString();
    this.#colon();
  }

  #colon() {
    this.#skipBlanks();
    if (this.#bytes[this.#at] !== COLON) throw new JsonSyntaxError();
    this.#at += 1;
  }

  /** Right after an opening bracket: whether it closes at once. */
  #closes(close: number): boolean {
    this.#skipBlanks();
    if (this.#bytes[this.#at] !== close) return false;
    this.#at += 1;
    return true;
  }

  /** After an item: whether another follows; moves behind the comma or the closing bracket. */
  #continues(close: number): boolean {
    this.#skipBlanks();
    const byte = this.#bytes[this.#at];
    this.#at += 1;
    if (byte === COMMA) return true;
    if (byte === close) return false;
    throw new JsonSyntaxError();
  }

  #skipBlanks() {
    const bytes = this.#bytes;
    let at = this.#at;
    while (BLANK[bytes[at] ?? 0] === 1) at += 1;
    this.#at = at;
  }

  #skipString() {
    const bytes = this.#bytes;
    let at = this.#at;
    if (bytes[at] !== QUOTE) throw new JsonSyntaxError();
    at += 1;
    this.#hasEscape = false;
    for (;;) {
      while (STRING_STOP[bytes[at] ?? 0] === 0) at += 1;
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) throw new JsonSyntaxError();
      this.#hasEscape = true;
      const escaped = bytes[at + 1] ?? 0;
      if (ESCAPED[escaped] === 1) at += 2;
      else if (escaped === 0x75 && this.#isHex(at + 2)) at += 6;
      else throw new JsonSyntaxError();
    }
    this.#at = at + 1;
  }

  #isHex(at: number): boolean {
    for (let i = at; i < at + 4; i += 1) if (HEX[this.#bytes[i] ?? 0] !== 1) return false;
    return true;
  }

  #skipWord(word: string) {
    const end = this.#at + word.length;
    if (this.#bytes.toString("latin1", this.#at, end) !== word) throw new JsonSyntaxError();
    this.#at = end;
  }

  #skipNumber() {
    if (this.#bytes[this.#at] === MINUS) this.#at += 1;
    if (this.#bytes[this.#at] === ZERO) this.#at += 1;
    else this.#skipDigits();
    if (this.#bytes[this.#at] === DOT) {
      this.#at += 1;
      this.#skipDigits();
    }
    const exponent = this.#bytes[this.#at];
    if (exponent === 0x65 || exponent === 0x45) {
      this.#at += 1;
      const sign = this.#bytes[this.#at];
      if (sign === PLUS || sign === MINUS) this.#at += 1;
      this.#skipDigits();
    }
  }

  /** One digit at least. */
  #skipDigits() {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[at] ?? 0) at += 1;
    if (at === start) throw new JsonSyntaxError();
    this.#at = at;
  }

  #plain(start: number, first: number | undefined): unknown {
    if (first === QUOTE) return this.#string(start, this.#at);
    if (this.#at - start > NUMBER_MAX_LENGTH && (first === MINUS || (first ?? 0) <= NINE)) return Number.NaN;
    const text = this.#bytes.toString("utf8", start, this.#at);
    // A count that would be changed by being kept is no number we can keep.
    if (/^-?\d{16,}$/.test(text) && !isKept(text)) return Number.NaN;
    return JSON.parse(text);
  }

  /** The string between the quotes at `start` and before `end`. */
  #string(start: number, end: number): string {
    return this.#hasEscape
      ? (JSON.parse(this.#bytes.toString("utf8", start, end)) as string)
      : this.#bytes.toString("utf8", start + 1, end - 1);
  }

  #count(depth: number) {
    this.#values += 1;
    if (this.#values > VALUES_MAX)
      throw new JsonBoundError(`Request body must have at most ${VALUES_MAX} JSON values`);
    if (depth > DEPTH_MAX) throw new JsonBoundError(`Request body must be at most ${DEPTH_MAX} levels deep`);
  }
}

/** Whether the number comes back as it was sent: as the same integer, or in the same digits. */
function isKept(integer: string): boolean {
  const value = Number(integer);
  return Number.isFinite(value) && (BigInt(integer) === BigInt(value) || String(value) === integer);
}
