const MAX_ESCAPE_BYTES = 6;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Whether an escape of the JSON that begins at `start` begins before `offset` and ends after it. */
export function isInsideEscape(json: Buffer, start: number, offset: number): boolean {
  for (let at = offset - 1; at >= start && at > offset - MAX_ESCAPE_BYTES; at -= 1) {
    if (json[at] !== BACKSLASH) continue;
    let first = at;
    while (first > start && json[first - 1] === BACKSLASH) first -= 1;
    // Backslashes in a row are escapes in pairs; if their number is odd, the last one begins an escape.
    if ((at - first) % 2 === 1) return false;
    return offset < at + (json[at + 1] === LETTER_U ? MAX_ESCAPE_BYTES : 2);
  }
  return false;
}
