import { MAX_PARSED_KEY_BYTES } from "../masking/json/has-long-key.ts";
import { JsonLimitError, JsonSyntaxError, MAX_DEPTH, MAX_VALUES } from "./json-errors.ts";

/*
 * Moves over JSON text, byte by byte, and checks it, without building values. The grammar is RFC 8259's; it accepts and
 * refuses exactly what JSON.parse does:
 *
 *   value  = object | array | string | number | "true" | "false" | "null", with blanks (space, \t, \n, \r) around it
 *   string = '"' ( any byte but '"', '\' and those below 0x20 | '\' and one of "\/bfnrt | '\u' and four hex digits )* '"'
 *   number = '-'? ( '0' | [1-9][0-9]* ) ( '.' [0-9]+ )? ( [eE] [+-]? [0-9]+ )?
 *
 * Depth and number of values are checked during the pass, so no body costs more than one pass.
 */

export const QUOTE = 0x22;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
/** The first letters of true, false and null. */
export const LETTER_T = 0x74;
export const LETTER_F = 0x66;
export const LETTER_N = 0x6e;

const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_U = 0x75;
const LETTER_E = 0x65;
const LETTER_UPPER_E = 0x45;

const TRUE = Buffer.from("true");
const FALSE = Buffer.from("false");
const NULL = Buffer.from("null");

/** A table with a 1 for each of these characters. */
const characterSet = (characters: string) => {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
};
const BLANKS = characterSet(" \t\n\r");
const HEX_DIGITS = characterSet("0123456789abcdefABCDEF");
const ESCAPED = characterSet('"\\/bfnrt');
/** The bytes at which a string ends, has an escape, or is invalid. */
const STRING_STOPS = characterSet(
  `"\\${Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join("")}`,
);

export class JsonLexer {
  readonly bytes: Buffer;
  /** The offset of the next byte. */
  position = 0;
  /** About the string that was skipped last. */
  hasEscape = false;
  isAscii = true;
  /** The closing brackets of the objects and arrays that are open inside a value that is being skipped. */
  readonly #open = new Uint8Array(MAX_DEPTH + 1);
  /** Whether the value that was skipped last has a key that is too long to be parsed. */
  hasLongKey = false;
  #valueCount = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Counts a value that starts at this depth, and refuses it over a limit. */
  count(depth: number) {
    this.#valueCount += 1;
    if (this.#valueCount > MAX_VALUES)
      throw new JsonLimitError(`Request body must have at most ${MAX_VALUES} JSON values`);
    if (depth > MAX_DEPTH) throw new JsonLimitError(`Request body must be at most ${MAX_DEPTH} levels deep`);
  }

  /** Expects the end of the text. */
  end() {
    this.skipBlanks();
    if (this.position < this.bytes.length) throw new JsonSyntaxError();
  }

  /** Skips one value of any kind. Nesting uses a stack of its own, so that no body overflows the call stack. */
  skipValue(outerDepth: number) {
    const bytes = this.bytes;
    const open = this.#open;
    let depth = 0;
    this.hasLongKey = false;
    for (;;) {
      const byte = bytes[this.position] ?? 0;
      this.count(outerDepth + depth);
      if (byte === QUOTE) this.skipString();
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        const close = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
        this.position += 1;
        if (!this.closesAtOnce(close)) {
          open[depth] = close;
          depth += 1;
          if (close === CLOSE_OBJECT) this.#skipKey();
          this.skipBlanks();
          continue;
        }
      } else if (byte === LETTER_T) this.#skipLiteral(TRUE);
      else if (byte === LETTER_F) this.#skipLiteral(FALSE);
      else if (byte === LETTER_N) this.#skipLiteral(NULL);
      else this.#skipNumber();

      // The value has ended. It may have been the last one of the containers around it.
      for (;;) {
        if (depth === 0) return;
        const close = open[depth - 1] ?? 0;
        if (this.hasNext(close)) {
          if (close === CLOSE_OBJECT) this.#skipKey();
          this.skipBlanks();
          break;
        }
        depth -= 1;
      }
    }
  }

  /** After an opening bracket: whether the closing one follows. If so, moves behind it. */
  closesAtOnce(close: number): boolean {
    this.skipBlanks();
    if (this.bytes[this.position] !== close) return false;
    this.position += 1;
    return true;
  }

  /** After an item: whether another one follows. Moves behind the comma or the closing bracket. */
  hasNext(close: number): boolean {
    this.skipBlanks();
    const byte = this.bytes[this.position];
    this.position += 1;
    if (byte === COMMA) return true;
    if (byte === close) return false;
    throw new JsonSyntaxError();
  }

  skipColon() {
    this.skipBlanks();
    if (this.bytes[this.position] !== COLON) throw new JsonSyntaxError();
    this.position += 1;
  }

  skipBlanks() {
    const bytes = this.bytes;
    let at = this.position;
    while (BLANKS[bytes[at] ?? 0] === 1) at += 1;
    this.position = at;
  }

  /** Sets `hasEscape` and `isAscii`. */
  skipString() {
    const bytes = this.bytes;
    let at = this.position;
    if (bytes[at] !== QUOTE) throw new JsonSyntaxError();
    at += 1;
    let hasEscape = false;
    /** Every byte of the string, combined by OR. */
    let combined = 0;
    for (;;) {
      let byte = bytes[at] ?? 0;
      while (STRING_STOPS[byte] === 0) {
        combined |= byte;
        at += 1;
        byte = bytes[at] ?? 0;
      }
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) throw new JsonSyntaxError();
      hasEscape = true;
      const escaped = bytes[at + 1] ?? 0;
      if (ESCAPED[escaped] === 1) at += 2;
      else if (escaped === LETTER_U && this.#hasFourHexDigits(at + 2)) at += 6;
      else throw new JsonSyntaxError();
    }
    this.hasEscape = hasEscape;
    this.isAscii = combined < 0x80;
    this.position = at + 1;
  }

  #skipKey() {
    this.skipBlanks();
    const start = this.position;
    this.skipString();
    if (this.position - start > MAX_PARSED_KEY_BYTES) this.hasLongKey = true;
    this.skipColon();
  }

  #hasFourHexDigits(start: number): boolean {
    for (let at = start; at < start + 4; at += 1) if (HEX_DIGITS[this.bytes[at] ?? 0] !== 1) return false;
    return true;
  }

  #skipLiteral(literal: Uint8Array) {
    for (let index = 0; index < literal.length; index += 1)
      if (this.bytes[this.position + index] !== literal[index]) throw new JsonSyntaxError();
    this.position += literal.length;
  }

  #skipNumber() {
    const bytes = this.bytes;
    if (bytes[this.position] === MINUS) this.position += 1;
    if (bytes[this.position] === ZERO) this.position += 1;
    else this.#skipDigits();
    if (bytes[this.position] === DOT) {
      this.position += 1;
      this.#skipDigits();
    }
    const exponent = bytes[this.position];
    if (exponent === LETTER_E || exponent === LETTER_UPPER_E) {
      this.position += 1;
      const sign = bytes[this.position];
      if (sign === PLUS || sign === MINUS) this.position += 1;
      this.#skipDigits();
    }
  }

  /** At least one digit. */
  #skipDigits() {
    const bytes = this.bytes;
    const start = this.position;
    let at = start;
    for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[at] ?? 0) at += 1;
    if (at === start) throw new JsonSyntaxError();
    this.position = at;
  }
}
