import { isDigit, isLetterOrDigit } from "./characters.ts";
import { type FindRanges, NO_RANGES } from "./find-ranges.ts";

const PLUS = 0x2b;
const ZERO = 0x30;
const SEPARATORS = new Set([..." -.()/"].map((sign) => sign.charCodeAt(0)));
const MAX_SEPARATORS = 2;
const MIN_DIGITS = 8;
const MAX_DIGITS = 15;

/** International telephone numbers: a plus sign, and the longest beginning of 8 to 15 digits that no letter or digit follows. */
export const findPhones: FindRanges = (text) => {
  let plus = text.indexOf("+");
  if (plus < 0) return NO_RANGES;
  const ranges: number[] = [];
  while (plus >= 0) {
    const end = isLetterOrDigit(text.charCodeAt(plus - 1)) ? -1 : numberEnd(text, plus + 1);
    if (end >= 0) ranges.push(plus, end);
    plus = nextPlus(text, end < 0 ? plus + 1 : end);
  }
  return ranges;
};

/** Like the search for addresses: a native search for each of many signs would cost more than a loop. */
function nextPlus(text: string, from: number): number {
  const near = Math.min(text.length, from + 16);
  for (let index = from; index < near; index += 1) if (text.charCodeAt(index) === PLUS) return index;
  return text.indexOf("+", near);
}

function numberEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === ZERO) return -1;
  let end = -1;
  let separators = 0;
  let digits = 0;
  for (let index = start; digits < MAX_DIGITS; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      digits += 1;
      separators = 0;
      if (digits >= MIN_DIGITS && !isLetterOrDigit(text.charCodeAt(index + 1))) end = index + 1;
    } else {
      separators += 1;
      if (digits === 0 || separators > MAX_SEPARATORS || !SEPARATORS.has(code)) break;
    }
  }
  return end;
}
