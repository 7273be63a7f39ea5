import { MAX_PARSED_KEY_BYTES } from "../masking/json/has-long-key.ts";
import { JsonLimitError } from "./json-errors.ts";
import { JsonLexer, LETTER_F, LETTER_N, LETTER_T, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./json-lexer.ts";

/** A double never needs more characters than this. */
const MAX_NUMBER_LENGTH = 1_000;
const CHUNK_BYTES = 512;

/** Reads values that were just skipped. */
export class JsonReader extends JsonLexer {
  /** A chunk of the text, decoded as Latin-1: where the text is ASCII, the chunk is the text. */
  #chunk = "";
  #chunkStart = 0;

  /** The value between `start` and the position, as JSON.parse would return it. */
  readValue(start: number): unknown {
    const { bytes, position } = this;
    switch (bytes[start]) {
      case QUOTE:
        return this.readString(start);
      case LETTER_N:
        return null;
      case LETTER_T:
        return true;
      case LETTER_F:
        return false;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (this.hasLongKey)
          throw new JsonLimitError(`Request body must have keys of at most ${MAX_PARSED_KEY_BYTES} bytes`);
        return JSON.parse(bytes.toString("utf8", start, position));
      default:
        return this.#number(start);
    }
  }

  /** The string whose opening quote is at `start`. */
  readString(start: number): string {
    const { bytes, position, hasEscape, isAscii } = this;
    if (hasEscape) return JSON.parse(bytes.toString("utf8", start, position));
    return isAscii ? this.#ascii(start + 1, position - 1) : bytes.toString("utf8", start + 1, position - 1);
  }

  /** NaN for an integer that a double would change: the checks then refuse it instead of storing another number. */
  #number(start: number): number {
    const end = this.position;
    if (end - start > MAX_NUMBER_LENGTH) return Number.NaN;
    const text = this.#ascii(start, end);
    if (text.length > 15 && /^-?\d{16,}$/.test(text) && !isExact(text)) return Number.NaN;
    return Number(text);
  }

  /** Small fields are close together, so one decoded chunk serves several of them. */
  #ascii(start: number, end: number): string {
    if (start < this.#chunkStart || end > this.#chunkStart + this.#chunk.length) {
      this.#chunkStart = start;
      this.#chunk = this.bytes.toString("latin1", start, Math.max(end, start + CHUNK_BYTES));
    }
    return this.#chunk.slice(start - this.#chunkStart, end - this.#chunkStart);
  }
}

/** Whether a double represents this integer exactly, or at least prints the same digits. */
function isExact(integer: string): boolean {
  const value = Number(integer);
  return Number.isFinite(value) && (BigInt(integer) === BigInt(value) || String(value) === integer);
}
