/** V8 hashes keys over 16,383 characters by their length alone, so that parsing many of them takes quadratic time. */
export const MAX_PARSED_KEY_BYTES = 16_000;

const BACKSLASH = 0x5c;
const COLON = /\s*:/y;

/**
 * Whether the text of a JSON value has a key so long that V8 hashes it by its length alone: parsing many of them takes
 * quadratic time.
 */
export function hasLongKey(json: string): boolean {
  if (json.length <= MAX_PARSED_KEY_BYTES) return false;
  for (let start = json.indexOf('"'); start >= 0; ) {
    const end = endOfString(json, start);
    if (end < 0) return false;
    if (end - start > MAX_PARSED_KEY_BYTES && isKey(json, end)) return true;
    start = json.indexOf('"', end + 1);
  }
  return false;
}

/** Whether the string that ends here is a key. */
function isKey(json: string, end: number): boolean {
  COLON.lastIndex = end + 1;
  return COLON.test(json);
}

/** The position of the closing quote; -1 if there is none. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

/** Whether the quote comes after an odd number of backslashes. */
function isEscaped(json: string, quote: number): boolean {
  let at = quote;
  while (json.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}
