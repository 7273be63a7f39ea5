import { isDigit, isLetterOrDigit } from "./characters.ts";
import { charactersWhere, findInRuns } from "./find-in-runs.ts";
import type { FindRanges } from "./find-ranges.ts";

const BLANK = 0x20;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const MIN_LENGTH = 13;
const MAX_LENGTH = 19;
/** Cards show their numbers in groups: 4-4-4-4-3, 4-4-4-4, 4-6-5 and 4-6-4. */
const MAX_GROUP = 6;

/** Which first digits issuers have, in numbers of which lengths. */
const ISSUERS: readonly [from: number, to: number, ...lengths: number[]][] = [
  [4, 4, 13, 16, 19],
  [51, 55, 16],
  [2221, 2720, 16],
  [2200, 2204, 16, 17, 18, 19],
  [34, 34, 15],
  [37, 37, 15],
  [300, 305, 14],
  [36, 36, 14],
  [38, 39, 14],
  [6011, 6011, 16, 19],
  [644, 649, 16, 19],
  [65, 65, 16, 19],
  [62, 62, 16, 17, 18, 19],
  [3528, 3589, 16, 17, 18, 19],
  [5018, 5018, 13, 14, 15, 16, 17, 18, 19],
  [5020, 5020, 13, 14, 15, 16, 17, 18, 19],
  [5038, 5038, 13, 14, 15, 16, 17, 18, 19],
  [5893, 5893, 13, 14, 15, 16, 17, 18, 19],
  [6304, 6304, 13, 14, 15, 16, 17, 18, 19],
  [6759, 6759, 13, 14, 15, 16, 17, 18, 19],
  [6761, 6763, 13, 14, 15, 16, 17, 18, 19],
];

/** Which lengths a number may have, as bits, by its first four digits. */
const LENGTHS = new Uint32Array(10_000);
for (const [from, to, ...lengths] of ISSUERS) {
  const following = 10 ** (4 - String(from).length);
  const bits = lengths.reduce((sum, length) => sum | (1 << length), 0);
  for (let first = from * following; first < (to + 1) * following; first += 1)
    LENGTHS[first] = (LENGTHS[first] ?? 0) | bits;
}

/** Card numbers, by their issuer's first digits, length and check digit, together or in groups. */
export const findCards: FindRanges = (text) => findInRuns(text, RUN, findInRun);

const RUN = {
  characters: charactersWhere((code) => isDigit(code) || code === BLANK || code === HYPHEN),
  minLength: MIN_LENGTH,
};

function findInRun(text: string, start: number, end: number, ranges: number[]) {
  for (let at = start; at < end; ) {
    if (!isDigit(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const groupEnd = digitsEnd(text, at);
    const cardEnd = isBoundaryBefore(text, at) ? numberEnd(text, at, groupEnd) : -1;
    if (cardEnd > 0) ranges.push(at, cardEnd);
    at = cardEnd > 0 ? cardEnd : groupEnd;
  }
}

/** The end of the card number that begins here, or -1. */
function numberEnd(text: string, start: number, groupEnd: number): number {
  if (groupEnd - start >= MIN_LENGTH)
    return groupEnd - start <= MAX_LENGTH && isCard(text, start, groupEnd) ? groupEnd : -1;
  if (groupEnd - start !== 4) return -1;
  const second = nextGroupEnd(text, groupEnd);
  const third = nextGroupEnd(text, second);
  if (second - groupEnd === 7) {
    const isGrouped = third - second === 6 || third - second === 5;
    return isGrouped && isCard(text, start, third) ? third : -1;
  }
  const fourth = nextGroupEnd(text, third);
  if (second - groupEnd !== 5 || third - second !== 5 || fourth - third !== 5) return -1;
  const fifth = nextGroupEnd(text, fourth);
  if (fifth - fourth === 4 && isCard(text, start, fifth)) return fifth;
  return isCard(text, start, fourth) ? fourth : -1;
}

/** The end of the group behind a separator; no later than needed to see that it is too long, and no group ends where it begins. */
function nextGroupEnd(text: string, separator: number): number {
  const code = text.charCodeAt(separator);
  if (code !== BLANK && code !== HYPHEN) return separator;
  const last = separator + 1 + MAX_GROUP;
  let end = separator + 1;
  while (end <= last && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function digitsEnd(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Digits beside a letter and those of a fraction are no card. */
function isBoundaryBefore(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  return !isLetterOrDigit(before) && !(before === DOT && isDigit(text.charCodeAt(start - 2)));
}

function isCard(text: string, start: number, end: number): boolean {
  const lengths = LENGTHS[firstDigits(text, start)] ?? 0;
  if (lengths === 0) return false;
  const after = text.charCodeAt(end);
  if (isLetterOrDigit(after) || (after === DOT && isDigit(text.charCodeAt(end + 1)))) return false;
  const first = text.charCodeAt(start);
  let isOneDigit = true;
  let count = 0;
  // Luhn's algorithm, from the last digit.
  let sum = 0;
  for (let index = end - 1; index >= start; index -= 1) {
    const code = text.charCodeAt(index);
    if (!isDigit(code)) continue;
    if (code !== first) isOneDigit = false;
    count += 1;
    const value = count % 2 === 0 ? 2 * (code - ZERO) : code - ZERO;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0 && !isOneDigit && (lengths & (1 << count)) !== 0;
}

/** The first four digits as a number. They stand together, also in groups. */
function firstDigits(text: string, start: number): number {
  let number = 0;
  for (let index = start; index < start + 4; index += 1) number = 10 * number + text.charCodeAt(index) - ZERO;
  return number;
}
