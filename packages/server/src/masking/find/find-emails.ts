import { isLetter, isLetterOrDigit } from "./characters.ts";
import { type FindRanges, NO_RANGES } from "./find-ranges.ts";

const AT = 0x40;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const LOCAL_SIGNS = new Set([..."._%+-"].map((sign) => sign.charCodeAt(0)));

/** ASCII and the Latin letters beyond it. */
const isLocal = (code: number) =>
  isLetterOrDigit(code) ||
  LOCAL_SIGNS.has(code) ||
  (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7);

/** Addresses whose domain has a dot and a top level of two letters or more. */
export const findEmails: FindRanges = (text) => {
  let at = text.indexOf("@");
  if (at < 0) return NO_RANGES;
  const ranges: number[] = [];
  // Neither a local part nor a domain contains the sign, so each character is looked at twice at most.
  for (; at >= 0; at = nextAt(text, at + 1)) {
    const end = domainEnd(text, at + 1);
    if (end < 0) continue;
    let start = at;
    while (start > 0 && isLocal(text.charCodeAt(start - 1))) start -= 1;
    while (start < at && (text.charCodeAt(start) === DOT || text.charCodeAt(start) === HYPHEN)) start += 1;
    if (start < at) ranges.push(start, end);
  }
  return ranges;
};

/** A native search has a price of its own, which a text of many signs would pay for each. */
function nextAt(text: string, from: number): number {
  const near = Math.min(text.length, from + 16);
  for (let index = from; index < near; index += 1) if (text.charCodeAt(index) === AT) return index;
  return text.indexOf("@", near);
}

/** The end of the domain that begins here: its longest beginning of labels whose last one is of letters only; -1 if none. */
function domainEnd(text: string, start: number): number {
  let end = -1;
  let hasDot = false;
  let labelStart = start;
  for (let index = start; ; index += 1) {
    const code = text.charCodeAt(index);
    if (isLetterOrDigit(code) || code === HYPHEN) continue;
    const labelEnd = trimHyphens(text, labelStart, index);
    if (hasDot && isTopLevel(text, labelStart, labelEnd)) end = labelEnd;
    // An empty label, or one that ends in a hyphen, is the end of the domain.
    if (code !== DOT || labelEnd === labelStart || labelEnd < index) return end;
    hasDot = true;
    labelStart = index + 1;
  }
}

function trimHyphens(text: string, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && text.charCodeAt(trimmed - 1) === HYPHEN) trimmed -= 1;
  return trimmed;
}

function isTopLevel(text: string, start: number, end: number): boolean {
  if (end - start < 2) return false;
  for (let index = start; index < end; index += 1) if (!isLetter(text.charCodeAt(index))) return false;
  return true;
}
