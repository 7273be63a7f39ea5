import { isInsideEscape } from "./is-inside-escape.ts";
import type { BytePattern, SearchPattern } from "./search-pattern.ts";

/** A field of a record: where its bytes lie. */
export interface FieldRange {
  start: number;
  end: number;
}

export interface FieldMatch<Field extends FieldRange> {
  field: Field;
  start: number;
  end: number;
}

/** Strings of this size stay in the processor's cache and in the young generation of the heap. */
const WINDOW_BYTES = 64 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Finds the first match in each field. Fields lie in `bytes` in ascending order, and there may be other bytes between them.
 * `fields` is called only if there is a candidate. Yields nothing from time to time, so that a caller can pause.
 */
export function* matchFields<Field extends FieldRange>(
  bytes: Buffer,
  format: "json" | "text",
  pattern: SearchPattern,
  fields: () => Iterable<Field>,
): Generator<FieldMatch<Field> | undefined> {
  let remaining: Iterator<Field> | undefined;
  let field: Field | undefined;
  let strings: StringTracker | undefined;
  let from = 0;
  while (from < bytes.length) {
    const window = new Window(bytes, from, pattern[format], pattern.maxBytes);
    for (let candidate = window.next(from); candidate; candidate = window.next(from)) {
      const { start, end } = candidate;
      remaining ??= fields()[Symbol.iterator]();
      while (!field || field.end <= start) {
        const { value, done } = remaining.next();
        if (done) return;
        field = value;
        strings = undefined;
      }
      from = Math.max(start + 1, field.start);
      if (start < field.start || end > field.end) continue;
      if (format === "json") {
        if (isInsideEscape(bytes, field.start, start)) continue;
        strings ??= new StringTracker(bytes, field.start);
        // What spans tokens in a string is text.
        if (pattern.canSpanTokens && !strings.isInString(start)) continue;
      }
      yield { field, start, end };
      from = field.end;
    }
    from = Math.max(from, window.end);
    yield undefined;
  }
}

/** A part of the bytes in which candidates may start. */
class Window {
  readonly end: number;
  readonly #start: number;
  readonly #text: string;
  readonly #candidates: RegExp | undefined;

  constructor(bytes: Buffer, start: number, { filter, candidates }: BytePattern, maxBytes: number) {
    this.#start = start;
    this.end = Math.min(start + WINDOW_BYTES, bytes.length);
    this.#text = bytes.toString("latin1", start, Math.min(this.end + maxBytes, bytes.length));
    if (filter.test(this.#text)) this.#candidates = candidates;
  }

  /** The first candidate that starts in this window, at `from` or later. */
  next(from: number): FieldRange | undefined {
    if (!this.#candidates || from >= this.end) return undefined;
    this.#candidates.lastIndex = from - this.#start;
    const match = this.#candidates.exec(this.#text);
    if (!match) return undefined;
    const start = this.#start + match.index;
    return start < this.end ? { start, end: start + match[0].length } : undefined;
  }
}

/** Knows which offsets of a JSON value lie in its strings. Offsets must ascend. */
class StringTracker {
  readonly #json: Buffer;
  #offset: number;
  #isInString = false;

  constructor(json: Buffer, start: number) {
    this.#json = json;
    this.#offset = start;
  }

  isInString(offset: number): boolean {
    while (this.#offset < offset) {
      const byte = this.#json[this.#offset];
      if (byte === QUOTE) this.#isInString = !this.#isInString;
      // What is escaped neither ends the string nor escapes anything.
      this.#offset += byte === BACKSLASH ? 2 : 1;
    }
    return this.#isInString;
  }
}
