/* Moves over JSON that is known to be valid. */

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN_OBJECT = 0x7b;
export const OPEN_ARRAY = 0x5b;
export const CLOSE_OBJECT = 0x7d;
export const CLOSE_ARRAY = 0x5d;
export const COMMA = 0x2c;
const COLON = 0x3a;
const BLANK = 0x20;
const LETTER_U = 0x75;

export function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] ?? 0xff) <= BLANK) at += 1;
  return at;
}

/** The end of the string whose opening quote is at `start`, behind its closing quote. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    const byte = bytes[at];
    if (byte === QUOTE || byte === undefined) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
}

/** The end of any value. */
export function valueEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  let depth = 0;
  do {
    const byte = bytes[at];
    if (byte === undefined) return at;
    if (byte === QUOTE) at = stringEnd(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      at += 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      at += 1;
    } else if (byte === COMMA || byte === COLON || byte <= BLANK) at += 1;
    else at = scalarEnd(bytes, at);
  } while (depth > 0);
  return at;
}

/** The end of a number, true, false or null. */
export function scalarEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    const byte = bytes[at] ?? COMMA;
    if (byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || byte <= BLANK) return at;
    at += 1;
  }
}

/** Where in the bytes of a string, from `from` on, a number of UTF-16 units of its text end. */
export function skipUnits(bytes: Uint8Array, from: number, units: number): number {
  let at = from;
  for (let left = units; left > 0; left -= 1) {
    const byte = bytes[at] ?? 0;
    if (byte === BACKSLASH) at += bytes[at + 1] === LETTER_U ? 6 : 2;
    else if (byte < 0x80) at += 1;
    else if (byte < 0xe0) at += 2;
    else if (byte < 0xf0) at += 3;
    else {
      // Two units, which no match separates.
      at += 4;
      left -= 1;
    }
  }
  return at;
}

/** The text of the string between these quotes. */
export function decodeString(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString("utf8", start, end);
  return raw.includes("\\") ? JSON.parse(`"${raw}"`) : raw;
}

/** Whether an array begins with a string. */
export function hasArrayOfStrings(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(OPEN_ARRAY); at >= 0; at = nextArray(bytes, at + 1))
    if (bytes[skipBlanks(bytes, at + 1)] === QUOTE) return true;
  return false;
}

/** A native search has a price of its own, which many brackets close to each other would pay for each. */
function nextArray(bytes: Buffer, from: number): number {
  const near = Math.min(bytes.length, from + 24);
  for (let at = from; at < near; at += 1) if (bytes[at] === OPEN_ARRAY) return at;
  return near === bytes.length ? -1 : bytes.indexOf(OPEN_ARRAY, near);
}

/** The members of an object: each key, and the bytes of key and value. */
export function* membersOf(bytes: Buffer): Generator<{ key: string; bytes: Buffer }> {
  let at = skipBlanks(bytes, skipBlanks(bytes, 0) + 1);
  while (bytes[at] === QUOTE) {
    const start = at;
    const keyEnd = stringEnd(bytes, start);
    const end = valueEnd(bytes, skipBlanks(bytes, skipBlanks(bytes, keyEnd) + 1));
    yield { key: decodeString(bytes, start + 1, keyEnd - 1), bytes: bytes.subarray(start, end) };
    at = skipBlanks(bytes, end);
    if (bytes[at] === COMMA) at = skipBlanks(bytes, at + 1);
  }
}
