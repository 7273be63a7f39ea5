export const MASKED_MAX_LENGTH = 200;
/** Masking shortens a text. No more of it is read. */
export const MASK_READ_LENGTH = 400;

/** Most names need no masking: they have neither a digit nor unusual white space. */
const MAY_CHANGE = /[\d\0]|\s\s|[^\S ]|^\s|\s$/;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
/** With a digit, so that words such as "defaced" stay; not inside a longer word. */
const HEX = /(?<![0-9a-z])(?=[a-f]*\d)[0-9a-f]{8,}(?![0-9a-z])/gi;
const NUMBER = /\d{3,}(?:[.,]\d+)*/g;

/**
 * Replaces the parts of a name or message that differ from run to run by "#", so that the rest can be compared: UUIDs, other
 * hexadecimal ids and numbers of three digits or more. White space collapses; at most 200 characters are left.
 */
export function maskText(text: string): string {
  const read = text.length > MASK_READ_LENGTH ? text.slice(0, MASK_READ_LENGTH) : text;
  const masked = MAY_CHANGE.test(read)
    ? read
        .replace(UUID, "#")
        .replace(HEX, "#")
        .replace(NUMBER, "#")
        // PostgreSQL's text cannot hold NUL.
        .replaceAll("\0", "")
        .replace(/\s+/g, " ")
        .trim()
    : read;
  return masked.length > MASKED_MAX_LENGTH ? masked.slice(0, MASKED_MAX_LENGTH).toWellFormed() : masked;
}
