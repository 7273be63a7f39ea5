import { isDigit, isLetterOrDigit } from "./characters.ts";
import { charactersWhere, findInRuns } from "./find-in-runs.ts";
import type { FindRanges } from "./find-ranges.ts";

const BLANK = 0x20;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const MIN_LENGTH = 13;
const MAX_LENGTH = 19;
/** The groups in which cards show their numbers, the longest first. */
const GROUPINGS = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
];

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
  for (const grouping of GROUPINGS) {
    const end = groupingEnd(text, start, grouping);
    if (end > 0 && isCard(text, start, end)) return end;
  }
  return -1;
}

function groupingEnd(text: string, start: number, grouping: readonly number[]): number {
  let at = start;
  for (const [index, length] of grouping.entries()) {
    if (index > 0) {
      const separator = text.charCodeAt(at);
      if (separator !== BLANK && separator !== HYPHEN) return -1;
      at += 1;
    }
    for (let digit = 0; digit < length; digit += 1) if (!isDigit(text.charCodeAt(at + digit))) return -1;
    at += length;
    if (isDigit(text.charCodeAt(at))) return -1;
  }
  return at;
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
  const after = text.charCodeAt(end);
  if (isLetterOrDigit(after) || (after === DOT && isDigit(text.charCodeAt(end + 1)))) return false;
  const digits: number[] = [];
  for (let index = start; index < end; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) digits.push(code - ZERO);
  }
  return hasIssuer(digits) && hasCheckDigit(digits) && digits.some((digit) => digit !== digits[0]);
}

function hasIssuer(digits: readonly number[]): boolean {
  return ISSUERS.some(([from, to, ...lengths]) => {
    if (!lengths.includes(digits.length)) return false;
    let first = 0;
    for (let index = 0; index < String(from).length; index += 1) first = 10 * first + (digits[index] ?? 0);
    return first >= from && first <= to;
  });
}

/** Luhn's algorithm. */
function hasCheckDigit(digits: readonly number[]): boolean {
  let sum = 0;
  for (const [index, digit] of digits.entries()) {
    const isDoubled = (digits.length - index) % 2 === 0;
    const value = isDoubled ? 2 * digit : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
