import { isUtf8 } from "node:buffer";
import { RawJson, SOURCE } from "@whytrace/contract";
import { type KnownKey, KnownKeys } from "./known-keys.ts";

/*
 * Reads a request body once, byte by byte, and builds only what has to be looked at. Payload values are checked to
 * be JSON and handed on as the bytes they were sent in, so they are stored and given back exactly (2^53+1, 1e400,
 * "\u0000", duplicate keys), and nobody parses and prints them on the way.
 *
 * A shape says what is wanted at a place:
 *   - a record: the fields named in it, each by its own shape; other fields are checked and dropped; of a field
 *     that stands twice the last one counts, as with JSON.parse; one without lists also keeps its own bytes, as SOURCE;
 *   - a list: every item by one shape;
 *   - PLAIN: the value as JSON.parse would give it;
 *   - RAW: the value's bytes, or null.
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
const PIECE_BYTES = 512;

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

const TRUE = Buffer.from("true");
const FALSE = Buffer.from("false");
const NULL = Buffer.from("null");

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

/** Whether one of four bytes ends a string, escapes or is wrong: is '"', '\\' or below 0x20. */
function hasStop(four: number): boolean {
  const quote = four ^ 0x22222222;
  const backslash = four ^ 0x5c5c5c5c;
  // Subtracting from each byte borrows into its highest bit only where the byte was too small.
  return (
    ((((quote - 0x01010101) & ~quote) |
      ((backslash - 0x01010101) & ~backslash) |
      ((four - 0x20202020) & ~four)) &
      HIGH_BITS) !==
    0
  );
}
const HIGH_BITS = 0x80808080 | 0;

type Fields = ReadonlyMap<string, Shape>;
const keysOf = new WeakMap<Fields, KnownKeys<Shape>>();
function knownKeys(fields: Fields): KnownKeys<Shape> {
  let keys = keysOf.get(fields);
  if (!keys) {
    keys = new KnownKeys(fields);
    keysOf.set(fields, keys);
  }
  return keys;
}

class Scanner {
  readonly #bytes: Buffer;
  /** The same bytes, four at a time. */
  readonly #words: Int32Array;
  /** A piece of the same bytes from a place on, a character each: where they are ASCII, the text itself. */
  #piece = "";
  #pieceAt = 0;
  #at = 0;
  #values = 0;
  /** Of the string just read: whether it holds an escape, and whether it holds more than ASCII. */
  #hasEscape = false;
  #isAscii = true;
  /** What closes the containers that are open within a value being skipped. */
  readonly #open = new Uint8Array(DEPTH_MAX + 1);
  #turnEnd = TURN_BYTES;

  constructor(sent: Buffer) {
    const bytes = sent.byteOffset % 4 === 0 ? sent : Buffer.from(new Uint8Array(sent).buffer);
    this.#bytes = bytes;
    this.#words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  }

  /** Nothing but blanks may follow. */
  end() {
    this.#skipBlanks();
    if (this.#at < this.#bytes.length) throw new JsonSyntaxError();
  }

  /** Lists and what holds them may be long, so they pause; everything else is read in one go. */
  *value(shape: Shape, depth: number): Generator<undefined, unknown> {
    this.#skipBlanks();
    if (typeof shape !== "object") return this.#leaf(shape, depth);
    const first = this.#bytes[this.#at];
    if ("list" in shape)
      return first === OPEN_LIST ? yield* this.#list(shape.list, depth) : this.#leaf(PLAIN, depth);
    if (first !== OPEN_RECORD) return this.#leaf(PLAIN, depth);
    return isFlat(shape.record)
      ? this.#flatRecord(shape.record, depth)
      : yield* this.#record(shape.record, depth);
  }

  #leaf(shape: Shape, depth: number): unknown {
    const start = this.#at;
    const first = this.#bytes[start];
    this.#skipValue(depth);
    if (shape === RAW) return first === 0x6e ? null : new RawJson(this.#bytes, start, this.#at);
    return this.#plain(start, first);
  }

  *#record(fields: Fields, depth: number): Generator<undefined, Record<string, unknown>> {
    this.#count(depth);
    const keys = knownKeys(fields);
    const result: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#closes(CLOSE_RECORD)) return result;
    do {
      const key = this.#key(keys);
      this.#skipBlanks();
      if (key === undefined) this.#skipValue(depth + 1);
      else if (typeof key.value === "string") result[key.name] = this.#leaf(key.value, depth + 1);
      else result[key.name] = yield* this.value(key.value, depth + 1);
    } while (this.#continues(CLOSE_RECORD));
    return result;
  }

  /** The same for a record that holds no list to pause in. */
  #flatRecord(fields: Fields, depth: number): Record<string | typeof SOURCE, unknown> {
    this.#count(depth);
    const keys = knownKeys(fields);
    const start = this.#at;
    const result: Record<string | typeof SOURCE, unknown> = { [SOURCE]: undefined };
    this.#at += 1;
    if (this.#closes(CLOSE_RECORD)) return result;
    do {
      const key = this.#key(keys);
      this.#skipBlanks();
      if (key === undefined) this.#skipValue(depth + 1);
      else result[key.name] = this.#leaf(key.value, depth + 1);
    } while (this.#continues(CLOSE_RECORD));
    result[SOURCE] = new RawJson(this.#bytes, start, this.#at);
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

  /** A key and the colon behind it; undefined where it is none that is wanted. */
  #key(keys: KnownKeys<Shape>): KnownKey<Shape> | undefined {
    this.#skipBlanks();
    const start = this.#at;
    this.#skipString();
    const key = this.#hasEscape
      ? keys.named(this.#string(start, this.#at))
      : keys.find(this.#bytes, start + 1, this.#at - 1);
    this.#colon();
    return key;
  }

  /** Checks one value of any kind and moves behind it; nesting is a stack of our own, not of the engine's. */
  #skipValue(outerDepth: number) {
    const bytes = this.#bytes;
    const open = this.#open;
    let inside = 0;
    for (;;) {
      const byte = bytes[this.#at] ?? 0;
      this.#count(outerDepth + inside);
      if (byte === QUOTE) this.#skipString();
      else if (byte === OPEN_RECORD || byte === OPEN_LIST) {
        const close = byte + 2;
        this.#at += 1;
        if (!this.#closes(close)) {
          open[inside] = close;
          inside += 1;
          if (close === CLOSE_RECORD) this.#skipKey();
          this.#skipBlanks();
          continue;
        }
      } else if (byte === 0x74) this.#skipWord(TRUE);
      else if (byte === 0x66) this.#skipWord(FALSE);
      else if (byte === 0x6e) this.#skipWord(NULL);
      else this.#skipNumber();

      // A value has ended: so do the containers it was the last of.
      for (;;) {
        if (inside === 0) return;
        const close = open[inside - 1] ?? 0;
        if (this.#continues(close)) {
          if (close === CLOSE_RECORD) this.#skipKey();
          this.#skipBlanks();
          break;
        }
        inside -= 1;
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
    const words = this.#words;
    let at = this.#at;
    if (bytes[at] !== QUOTE) throw new JsonSyntaxError();
    at += 1;
    let hasEscape = false;
    /** All bytes of the string laid over each other. */
    let over = 0;
    for (;;) {
      // Byte by byte up to where a word begins, word by word while nothing is in them, and the last few bytes.
      let byte = bytes[at] ?? 0;
      while (STRING_STOP[byte] === 0) {
        over |= byte;
        at += 1;
        if ((at & 3) === 0) {
          let index = at >> 2;
          let four = words[index] ?? 0;
          while (!hasStop(four)) {
            over |= four;
            index += 1;
            four = words[index] ?? 0;
          }
          at = index << 2;
        }
        byte = bytes[at] ?? 0;
      }
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) throw new JsonSyntaxError();
      hasEscape = true;
      const escaped = bytes[at + 1] ?? 0;
      if (ESCAPED[escaped] === 1) at += 2;
      else if (escaped === 0x75 && this.#isHex(at + 2)) at += 6;
      else throw new JsonSyntaxError();
    }
    this.#hasEscape = hasEscape;
    this.#isAscii = (over & HIGH_BITS) === 0;
    this.#at = at + 1;
  }

  #isHex(at: number): boolean {
    for (let i = at; i < at + 4; i += 1) if (HEX[this.#bytes[i] ?? 0] !== 1) return false;
    return true;
  }

  #skipWord(word: Uint8Array) {
    for (let i = 0; i < word.length; i += 1)
      if (this.#bytes[this.#at + i] !== word[i]) throw new JsonSyntaxError();
    this.#at += word.length;
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
    if (first === 0x6e) return null;
    if (first === 0x74 || first === 0x66) return first === 0x74;
    if (first === OPEN_RECORD || first === OPEN_LIST)
      return JSON.parse(this.#bytes.toString("utf8", start, this.#at));
    return this.#number(start);
  }

  #number(start: number): number {
    if (this.#at - start > NUMBER_MAX_LENGTH) return Number.NaN;
    const text = this.#ascii(start, this.#at);
    // A count that would be changed by being kept is no number we can keep.
    if (text.length > 15 && /^-?\d{16,}$/.test(text) && !isKept(text)) return Number.NaN;
    return Number(text);
  }

  /** The string between the quotes at `start` and before `end`. */
  #string(start: number, end: number): string {
    if (this.#hasEscape) return JSON.parse(this.#bytes.toString("utf8", start, end)) as string;
    return this.#isAscii ? this.#ascii(start + 1, end - 1) : this.#bytes.toString("utf8", start + 1, end - 1);
  }

  /** Small fields stand close together: a piece read at once serves several, and payloads between them are passed over. */
  #ascii(start: number, end: number): string {
    if (start < this.#pieceAt || end > this.#pieceAt + this.#piece.length) {
      this.#pieceAt = start;
      this.#piece = this.#bytes.toString("latin1", start, Math.max(end, start + PIECE_BYTES));
    }
    return this.#piece.slice(start - this.#pieceAt, end - this.#pieceAt);
  }

  #count(depth: number) {
    this.#values += 1;
    if (this.#values > VALUES_MAX)
      throw new JsonBoundError(`Request body must have at most ${VALUES_MAX} JSON values`);
    if (depth > DEPTH_MAX) throw new JsonBoundError(`Request body must be at most ${DEPTH_MAX} levels deep`);
  }
}

const flat = new WeakMap<Fields, boolean>();
function isFlat(fields: Fields): boolean {
  let isKnown = flat.get(fields);
  if (isKnown === undefined) {
    isKnown = [...fields.values()].every((shape) => typeof shape === "string");
    flat.set(fields, isKnown);
  }
  return isKnown;
}

/** Whether the number comes back as it was sent: as the same integer, or in the same digits. */
function isKept(integer: string): boolean {
  const value = Number(integer);
  return Number.isFinite(value) && (BigInt(integer) === BigInt(value) || String(value) === integer);
}
