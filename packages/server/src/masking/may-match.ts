import type { MaskingType } from "@whytrace/contract/schemas/masking/settings";
import { isDigit, isLetter, isLetterOrDigit, isUpperCase } from "./find/characters.ts";
import { findCards } from "./find/find-cards.ts";
import { findIbans } from "./find/find-ibans.ts";
import { findIps } from "./find/find-ips.ts";
import { mayBeginKey, vendorKeys } from "./find/vendor-keys.ts";
import { mayBeSecretName, mayEndSecretName } from "./secret-names.ts";
import { wordsOf } from "./words-of.ts";

/*
 * Says whether JSON as it was sent may contain something that built-in types match, without decoding it. It may say yes where
 * nothing matches, and never no where something does. Most payloads have nothing, so this is what masking costs.
 *
 * It works on bytes with escapes in them. An escape of a character that a type is about is a yes, because only decoding tells
 * what is there. Any other escape separates: its letter is neither a part of a match nor a letter beside it.
 */

const BITS: Readonly<Partial<Record<MaskingType, number>>> = {
  email: 1,
  phone: 2,
  card: 4,
  iban: 8,
  ip: 16,
  secret: 32,
  key: 64,
};

/** Types as a set of bits. Other types than the built-in ones have none. */
export const typeBits = (types: Iterable<MaskingType>): number => {
  let bits = 0;
  for (const type of types) bits |= BITS[type] ?? 0;
  return bits;
};

const [EMAIL, PHONE, CARD, IBAN, IP, SECRET, KEY] = [1, 2, 4, 8, 16, 32, 64];
const [QUOTE, BACKSLASH, SLASH, AT, PLUS, COLON, BLANK, HYPHEN, ZERO, DOT, EQUALS, COMMA, OPEN] = [
  0x22, 0x5c, 0x2f, 0x40, 0x2b, 0x3a, 0x20, 0x2d, 0x30, 0x2e, 0x3d, 0x2c, 0x5b,
];

const [LETTER_B, LETTER_E, LETTER_F, LETTER_P, LETTER_U] = [0x62, 0x65, 0x66, 0x50, 0x75];

/** A table with a 1 for each code that is a part. */
const table = (isPart: (code: number) => boolean) =>
  Uint8Array.from({ length: 256 }, (_, code) => (isPart(code) ? 1 : 0));

export function mayMatch(bytes: Buffer, start: number, end: number, wanted: number): boolean {
  if (wanted === 0 || end - start < 3) return false;
  return (
    (end - start < MIN_LONG_BYTES
      ? mayMatchShort(bytes, start, end, wanted)
      : mayMatchLong(bytes, start, end, wanted)) ||
    ((wanted & IBAN) !== 0 && hasRun(bytes, start, end, IBAN_RUN)) ||
    ((wanted & IP) !== 0 && hasRun(bytes, start, end, IP_RUN))
  );
}

/** From here on, native searches take less time than they cost to begin. */
const MIN_LONG_BYTES = 384;

const mayMatchShort = (bytes: Buffer, start: number, end: number, wanted: number) =>
  hasMark(bytes, start, end, wanted) ||
  ((wanted & CARD) !== 0 && hasRun(bytes, start, end, CARD_RUN)) ||
  ((wanted & SECRET) !== 0 && hasRun(bytes, start, end, SECRET_RUN));

const mayMatchLong = (bytes: Buffer, start: number, end: number, wanted: number) =>
  hasRareMark(bytes, start, end, wanted) || hasMarkedWord(bytes, start, end, wanted);

/** Looks for what is rare natively. */
function hasRareMark(bytes: Buffer, start: number, end: number, wanted: number): boolean {
  // A native search goes on to the end of its buffer.
  const part = bytes.subarray(start, end);
  if (part.includes(ESCAPED_SLASH)) return true;
  // Where one escape is there may be many: each search has a price of its own.
  const escaped = part.indexOf(ESCAPED_LATIN);
  if (escaped >= 0)
    for (let at = start + escaped; at < end; at += 1)
      if (bytes[at] === BACKSLASH && isTellingEscape(bytes, at)) return true;
  if ((wanted & SECRET) !== 0 && part.includes(KEY_MARK_BYTES)) return true;
  if ((wanted & (EMAIL | SECRET)) !== 0)
    for (let at = part.indexOf(AT); at >= 0; at = nextByte(part, AT, at + 1))
      if (isTellingMark(bytes, start, start + at, end, wanted)) return true;
  if ((wanted & PHONE) !== 0)
    for (let at = part.indexOf(PLUS); at >= 0; at = nextByte(part, PLUS, at + 1))
      if (isBeforePhone(bytes, start + at, end)) return true;
  return false;
}

/** The eighth bit of each byte of a word. */
const EIGHTH_BITS = 0x80808080;
/** A run of 16 bytes contains three whole words, wherever it begins. */
const SECRET_WORDS = 3;

/**
 * Looks at four bytes at a time for colons behind names of secrets, and for runs that may hold a secret or a card. A byte that is
 * less than n sets its eighth bit if n is subtracted; a borrow sets others, but never if no byte is less.
 */
function hasMarkedWord(bytes: Buffer, start: number, end: number, wanted: number): boolean {
  const words = wordsOf(bytes);
  const { byteOffset } = bytes;
  const first = (byteOffset + start + 3) >> 2;
  const last = (byteOffset + end) >> 2;
  const startOf = (word: number) => 4 * word - byteOffset;
  const [hasKey, hasSecret, hasCard] = [
    (wanted & (KEY | SECRET)) !== 0,
    (wanted & SECRET) !== 0,
    (wanted & CARD) !== 0,
  ];
  if (hasKey && hasSecretName(bytes, start, startOf(first), start)) return true;
  let run = 0;
  let before = -1;
  let cardEnd = 0;
  for (let index = first; index < last; index += 1) {
    const word = words[index] ?? 0;
    const ascii = ~word & EIGHTH_BITS;
    // Colons and equals signs.
    const separators = (((word ^ 0x3a3a3a3a) - 0x01010101) | ((word ^ 0x3d3d3d3d) - 0x01010101)) & ascii;
    if (separators !== 0 && hasKey && hasSecretNameIn(bytes, startOf(index), separators, start)) return true;
    // No secret has a byte below the plus sign.
    const below = (word - 0x2b2b2b2b) & ascii;
    run = (run + 1) & (((below >>> 7) - 1) >> 31);
    if (run === SECRET_WORDS && hasSecret) {
      let next = index + 1;
      while (next < last && isFromPlus(words[next] ?? 0)) next += 1;
      const [from, to] = [startOf(index - SECRET_WORDS), startOf(next + 1)];
      if (hasRun(bytes, Math.max(start, from), Math.min(end, to), SECRET_RUN)) return true;
    }
    // A card contains two whole words without letters that have a digit at the same place: it has no two separators in four bytes.
    if (
      ((word | before) & 0xc0c0c0c0) === 0 &&
      (word & before & 0x10101010) !== 0 &&
      index >= cardEnd &&
      hasCard
    ) {
      let next = index + 1;
      while (next < last && ((words[next] ?? 0) & 0xc0c0c0c0) === 0) next += 1;
      cardEnd = next;
      const [from, to] = [startOf(index - 2), startOf(next + 1)];
      if (hasRun(bytes, Math.max(start, from), Math.min(end, to), CARD_RUN)) return true;
    }
    before = word;
  }
  return hasKey && (isListOfPairs(bytes, start) || hasSecretName(bytes, startOf(last), end, start));
}

/** Whether no byte of a word is below the plus sign. */
const isFromPlus = (word: number) => ((word - 0x2b2b2b2b) & ~word & EIGHTH_BITS) === 0;

function hasSecretName(bytes: Buffer, from: number, to: number, start: number): boolean {
  for (let at = from; at < to; at += 1)
    if (NAME_ENDS[bytes[at] ?? 0] === 1 && isBehindSecretName(bytes, start, at)) return true;
  return false;
}

/** The same for the bytes of a word whose eighth bits are set in `separators`. */
function hasSecretNameIn(bytes: Buffer, from: number, separators: number, start: number): boolean {
  for (let left = separators; left !== 0; left &= left - 1) {
    const at = from + ((31 - Math.clz32(left & -left)) >> 3);
    if (isBehindSecretName(bytes, start, at)) return true;
  }
  return false;
}

/** What separates a name from its value, in JSON or in a text. */
const NAME_ENDS = table((code) => [COLON, EQUALS].includes(code));
const MARKS = table((code) => NAME_ENDS[code] === 1 || [BACKSLASH, AT, PLUS, LETTER_P, OPEN].includes(code));

const markAt = (bytes: Buffer, at: number) => MARKS[bytes[at] ?? 0] ?? 0;

/** Looks for all that is known by one character, in one pass. Most bytes are none, so it looks at eight for one branch. */
function hasMark(bytes: Buffer, start: number, end: number, wanted: number): boolean {
  const lastEight = end - 8;
  for (let at = start; at < end; ) {
    while (
      at <= lastEight &&
      (markAt(bytes, at) |
        markAt(bytes, at + 1) |
        markAt(bytes, at + 2) |
        markAt(bytes, at + 3) |
        markAt(bytes, at + 4) |
        markAt(bytes, at + 5) |
        markAt(bytes, at + 6) |
        markAt(bytes, at + 7)) ===
        0
    )
      at += 8;
    for (const next = Math.min(at + 8, end); at < next; at += 1)
      if (markAt(bytes, at) === 1 && isTellingMark(bytes, start, at, end, wanted)) return true;
  }
  return false;
}

function isTellingMark(bytes: Buffer, start: number, at: number, end: number, wanted: number): boolean {
  const byte = bytes[at];
  if (byte === COLON || byte === EQUALS)
    return (wanted & (KEY | SECRET)) !== 0 && isBehindSecretName(bytes, start, at);
  if (byte === OPEN) return (wanted & KEY) !== 0 && isListOfPairs(bytes, at);
  if (byte === BACKSLASH) return isTellingEscape(bytes, at);
  if (byte === PLUS) return (wanted & PHONE) !== 0 && isBeforePhone(bytes, at, end);
  if (byte === AT)
    return (
      ((wanted & EMAIL) !== 0 && isInEmail(bytes, start, at, end)) ||
      ((wanted & SECRET) !== 0 && isBehindCredentials(bytes, start, at))
    );
  return (wanted & SECRET) !== 0 && startsWith(bytes, at, KEY_MARK);
}

/** Of printable characters, only those that encoders escape for HTML (\u003c, \u0026) are none that a type or JSON is about. */
const isTelling = (code: number) =>
  code >= BLANK && code < 0x7f && code !== 0x3c && code !== 0x3e && code !== 0x26 && code !== 0x27;

/** The value of a hexadecimal digit. */
const hexOf = (byte = 0) => (byte <= 0x39 ? byte - ZERO : (byte | 0x20) - 0x57);

/** An escape of a character that a type is about, also in JSON inside strings, where backslashes are doubled. */
function isTellingEscape(bytes: Buffer, at: number): boolean {
  const letter = bytes[at + 1];
  if (letter === SLASH) return true;
  if (letter !== LETTER_U || bytes[at + 2] !== ZERO || bytes[at + 3] !== ZERO) return false;
  return isTelling(16 * hexOf(bytes[at + 4]) + hexOf(bytes[at + 5]));
}

/** Whether an escape ends here, so that what follows has no letter beside it. */
const followsEscape = (bytes: Buffer, at: number) =>
  bytes[at - 2] === BACKSLASH || (bytes[at - 6] === BACKSLASH && bytes[at - 5] === LETTER_U);

/** What may stand between a name and its colon: blanks, which inside a string may be escapes such as `\n` and `\u000a`. */
const BEFORE_COLON = table((code) => code <= BLANK || "\\nrtu09aAdD".includes(String.fromCharCode(code)));

function isBehindSecretName(bytes: Buffer, start: number, separator: number): boolean {
  if (bytes[separator + 1] === OPEN || bytes[separator + 2] === OPEN)
    if (isListOfPairs(bytes, separator + 1) || isListOfPairs(bytes, separator + 2)) return true;
  const before = bytes[separator - 1] ?? 0;
  // Most names end in other letters.
  let end = separator;
  while (bytes[end - 1] === BLANK) end -= 1;
  if (bytes[end - 1] === QUOTE) end -= 1;
  if (end - 3 >= start && !mayEndSecretName(bytes[end - 3] ?? 0, bytes[end - 2] ?? 0, bytes[end - 1] ?? 0))
    return false;
  return isCloselyBehindSecretName(bytes, start, separator, before);
}

function isCloselyBehindSecretName(bytes: Buffer, start: number, separator: number, before: number): boolean {
  if (before === QUOTE && isBehindValueOfPair(bytes, start, separator)) return true;
  if (before !== QUOTE) {
    let end = separator;
    while (end > start && IN_BETWEEN[bytes[end - 1] ?? 0] === 1) end -= 1;
    if (mayBeSecretName(bytes, start, end)) return true;
  }
  let quote = separator - 1;
  while (quote > start && BEFORE_COLON[bytes[quote] ?? 0] === 1) quote -= 1;
  return bytes[quote] === QUOTE && isNameBeforeQuote(bytes, start, quote);
}

/** Two brackets and a string: the first name of a list of pairs. */
const isListOfPairs = (bytes: Buffer, at: number) =>
  bytes[at] === OPEN &&
  bytes[at + 1] === OPEN &&
  (bytes[at + 2] === QUOTE || (bytes[at + 2] === BACKSLASH && bytes[at + 3] === QUOTE));

/** Whether the key before a colon is `value`, and the string before that may name a secret. */
function isBehindValueOfPair(bytes: Buffer, start: number, colon: number): boolean {
  if (bytes[colon - 1] !== QUOTE) return false;
  let end = colon - 1;
  while (bytes[end - 1] === BACKSLASH) end -= 1;
  for (let index = 1; index <= VALUE.length; index += 1)
    if (bytes[end - index] !== VALUE[VALUE.length - index]) return false;
  let quote = end - VALUE.length - 1;
  let isSeparated = false;
  while (quote > start && IS_SEPARATING[bytes[quote - 1] ?? 0] === 1) {
    quote -= 1;
    isSeparated ||= bytes[quote] === COMMA;
  }
  return isSeparated && bytes[quote - 1] === QUOTE && isNameBeforeQuote(bytes, start, quote - 1);
}

const VALUE = Buffer.from("value");
/** What may stand between two properties. In JSON that is a string, a line break is a backslash and a letter. */
const IS_SEPARATING = table((code) => code <= BLANK || code === COMMA || code === BACKSLASH || code === 0x6e);

/** Blanks and the quotes of other languages. */
const IN_BETWEEN = table((code) => code <= BLANK || code === 0x27 || code === 0x60);

function isNameBeforeQuote(bytes: Buffer, start: number, quote: number): boolean {
  let nameEnd = quote;
  while (nameEnd > start && bytes[nameEnd - 1] === BACKSLASH) nameEnd -= 1;
  return mayBeSecretName(bytes, start, nameEnd);
}

function isInEmail(bytes: Buffer, start: number, at: number, end: number): boolean {
  const before = at === start ? BLANK : (bytes[at - 1] ?? BLANK);
  if (before <= BLANK || before === QUOTE) return false;
  for (let index = at + 1; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === DOT) {
      if (isLetter(bytes[index + 1] ?? 0) && isLetter(bytes[index + 2] ?? 0)) return true;
    } else if (!isLetterOrDigit(byte) && byte !== HYPHEN) break;
  }
  return false;
}

/** Whether this sign may stand between the password of a URL and its host. */
function isBehindCredentials(bytes: Buffer, start: number, at: number): boolean {
  for (let index = at - 1; index >= start; index -= 1) {
    const byte = bytes[index] ?? 0;
    if (byte === SLASH) return bytes[index - 1] === SLASH && bytes[index - 2] === COLON;
    // A password may have escaped letters.
    if (byte === BACKSLASH && bytes[index + 1] === LETTER_U) return true;
    // The sign before has been looked at.
    if (byte <= BLANK || byte === QUOTE || byte === BACKSLASH || byte === AT) return false;
  }
  return false;
}

const PHONE_SEPARATORS = table((code) => " -.()/".includes(String.fromCharCode(code)));

function isBeforePhone(bytes: Buffer, at: number, end: number): boolean {
  let digits = 0;
  let separators = 0;
  for (let index = at + 1; index < end && separators <= 2; index += 1) {
    const byte = bytes[index] ?? 0;
    if (isDigit(byte)) {
      digits += 1;
      separators = 0;
      if (digits === 8) return true;
    } else if (digits > 0 && PHONE_SEPARATORS[byte] === 1) separators += 1;
    else break;
  }
  return false;
}

/** How a type is found that is a run of certain bytes. */
interface Run {
  minLength: number;
  /** A table with a 1 for each of the bytes. */
  parts: Uint8Array;
  mayMatch(bytes: Buffer, start: number, end: number): boolean;
}

/** Looks at every n-th byte, and around it only if it may belong to a run: a run of n bytes contains one of them. */
function hasRun(
  bytes: Buffer,
  from: number,
  to: number,
  { minLength, parts, mayMatch: mayRunMatch }: Run,
): boolean {
  for (let at = from + minLength - 1; at < to; ) {
    if (parts[bytes[at] ?? 0] === 0) {
      at += minLength;
      continue;
    }
    let start = at;
    while (start > from && parts[bytes[start - 1] ?? 0] === 1) start -= 1;
    let end = at + 1;
    while (end < to && parts[bytes[end] ?? 0] === 1) end += 1;
    if (end - start >= minLength && mayRunMatch(bytes, start, end)) return true;
    at = end + minLength;
  }
  return false;
}

/** Lines of code are indented by runs of blanks. */
function hasDigits(bytes: Buffer, start: number, end: number, min: number): boolean {
  let digits = 0;
  for (let at = start; at < end && digits < min; at += 1) if (isDigit(bytes[at] ?? 0)) digits += 1;
  return digits >= min;
}

/** Where a run begins behind the letters of an escape, which may look like a part of it. */
function behindEscape(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (bytes[start - 1] === BACKSLASH) return first === LETTER_B || first === LETTER_F ? start + 1 : start;
  for (let letters = 1; letters <= 4; letters += 1) {
    const digits = start - letters + 1;
    if (bytes[digits - 1] === LETTER_U && bytes[digits - 2] === BACKSLASH)
      return isHexadecimal(bytes, digits, digits + 4) ? digits + 4 : start;
  }
  return start;
}

const HEXADECIMAL = table((code) => /[\da-f]/i.test(String.fromCharCode(code)));

function isHexadecimal(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (HEXADECIMAL[bytes[at] ?? 0] === 0) return false;
  return true;
}

const isCardPart = (code: number) => isDigit(code) || code === BLANK || code === HYPHEN;
const CARD_RUN: Run = {
  minLength: 13,
  parts: table(isCardPart),
  mayMatch(bytes, start, end) {
    if (!hasDigits(bytes, start, end, 13)) return false;
    return findCards(bytes.toString("latin1", behindEscape(bytes, start), end)).length > 0;
  },
};

const IBAN_RUN: Run = {
  minLength: 15,
  parts: table((code) => isDigit(code) || isUpperCase(code) || code === BLANK),
  mayMatch: (bytes, start, end) =>
    hasDigits(bytes, start, end, 2) &&
    findIbans(bytes.toString("latin1", behindEscape(bytes, start), end)).length > 0,
};

const IP_RUN: Run = {
  minLength: 7,
  parts: table((code) => /[\da-f.:]/i.test(String.fromCharCode(code))),
  mayMatch(bytes, start, end) {
    const run = bytes.toString("latin1", behindEscape(bytes, start), end);
    return /\.\d+\.\d+\.|:.*:/.test(run) && findIps(run).length > 0;
  },
};

const LETTERS_AND_DIGITS = table(isLetterOrDigit);
const CREDENTIAL = table((code) => isLetterOrDigit(code) || "-._~+/=".includes(String.fromCharCode(code)));

const SECRET_RUN: Run = {
  minLength: 16,
  parts: CREDENTIAL,
  mayMatch(bytes, start, end) {
    if (followsScheme(bytes, start)) return true;
    for (let at = start; at + 13 <= end; at += 1) {
      if (LETTERS_AND_DIGITS[bytes[at - 1] ?? 0] === 1 && !followsEscape(bytes, at)) continue;
      const [first, second, third] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
      if (first === LETTER_E && startsWith(bytes, at, "eyJ")) return true;
      if (!mayBeginKey(first, second, third)) continue;
      for (const { prefix } of vendorKeys(first, second, third))
        if (startsWith(bytes, at, prefix)) return true;
    }
    return false;
  },
};

function startsWith(bytes: Buffer, at: number, prefix: string): boolean {
  for (let index = 1; index < prefix.length; index += 1)
    if (bytes[at + index] !== prefix.charCodeAt(index)) return false;
  return true;
}

/** Whether `Bearer` or `Basic` stands before it, with blanks or the escape of a tab between. */
function followsScheme(bytes: Buffer, start: number): boolean {
  const before = bytes[start - 1];
  if (before !== BLANK && before !== BACKSLASH) return false;
  let end = start;
  while (
    end > start - 8 &&
    (bytes[end - 1] === BLANK || bytes[end - 1] === BACKSLASH || isEscapedTab(bytes, end))
  )
    end -= 1;
  return /(?:bearer|basic)$/i.test(bytes.toString("latin1", Math.max(0, end - 6), end));
}

const isEscapedTab = (bytes: Buffer, end: number) => bytes[end - 1] === 0x74 && bytes[end - 2] === BACKSLASH;

const KEY_MARK = "PRIVATE KEY";
const KEY_MARK_BYTES = Buffer.from(KEY_MARK);
const ESCAPED_SLASH = Buffer.from("\\/");
/** The beginning of the escape of a character that a type may be about. */
const ESCAPED_LATIN = Buffer.from("\\u00");

/** A native search has a price of its own, which many bytes close to each other would pay for each. */
function nextByte(bytes: Buffer, byte: number, from: number): number {
  const near = Math.min(bytes.length, from + 16);
  for (let at = from; at < near; at += 1) if (bytes[at] === byte) return at;
  return near === bytes.length ? -1 : bytes.indexOf(byte, near);
}
