import { isIPv4, isIPv6 } from "node:net";
import { isDigit, isLetterOrDigit } from "./characters.ts";
import { charactersWhere, findInRuns } from "./find-in-runs.ts";
import type { FindRanges } from "./find-ranges.ts";

const DOT = 0x2e;
const COLON = 0x3a;
const MIN_LENGTH = 7;
const MAX_LENGTH = 45;

/** Public addresses of IPv4 and IPv6. */
export const findIps: FindRanges = (text) => findInRuns(text, RUN, findInRun);

const RUN = {
  characters: charactersWhere(
    (code) =>
      isDigit(code) ||
      code === DOT ||
      code === COLON ||
      (code >= 0x41 && code <= 0x46) ||
      (code >= 0x61 && code <= 0x66),
  ),
  minLength: MIN_LENGTH,
};

/** Finds addresses in a run of hexadecimal digits, dots and colons. Two dots are the end of a sentence. */
function findInRun(text: string, runStart: number, runEnd: number, ranges: number[]) {
  let from = runStart;
  for (let at = runStart; at < runEnd; at += 1) {
    if (text.charCodeAt(at) !== DOT || text.charCodeAt(at + 1) !== DOT) continue;
    findInPart(text, from, at, ranges);
    from = at + 1;
  }
  findInPart(text, from, runEnd, ranges);
}

function findInPart(text: string, partStart: number, partEnd: number, ranges: number[]) {
  let [start, end] = [partStart, partEnd];
  // `host:` before an address and the punctuation behind it do not belong to it; `::` does.
  if (text.charCodeAt(start) === COLON && text.charCodeAt(start + 1) !== COLON) start += 1;
  while (end > start && text.charCodeAt(end - 1) === DOT) end -= 1;
  if (text.charCodeAt(end - 1) === COLON && text.charCodeAt(end - 2) !== COLON) end -= 1;
  if (end - start <= MAX_LENGTH && isAlone(text, start, end) && isIPv6(text.slice(start, end))) {
    if (isPublicIpv6(text.slice(start, end))) ranges.push(start, end);
    return;
  }
  for (let at = start; at < end; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const before = text.charCodeAt(at - 1);
    const numbersEnd = dottedEnd(text, at, end);
    if (before !== DOT && !isLetterOrDigit(before) && isAlone(text, at, numbersEnd)) {
      const address = text.slice(at, numbersEnd);
      if (isIPv4(address) && isPublicIpv4(address)) ranges.push(at, numbersEnd);
    }
    at = numbersEnd;
  }
}

/** The end of digits and of the single dots between them. */
function dottedEnd(text: string, start: number, end: number): number {
  let at = start + 1;
  while (at < end && (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === DOT)) at += 1;
  return text.charCodeAt(at - 1) === DOT ? at - 1 : at;
}

/** Whether neither a letter or digit nor more of a dotted number is beside it. */
function isAlone(text: string, start: number, end: number): boolean {
  if (isLetterOrDigit(text.charCodeAt(start - 1)) || isLetterOrDigit(text.charCodeAt(end))) return false;
  return !(text.charCodeAt(end) === DOT && isDigit(text.charCodeAt(end + 1)));
}

function isPublicIpv4(address: string): boolean {
  const [a = 0, b = 0] = address.split(".").map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100) return b < 64 || b > 127;
  if (a === 169) return b !== 254;
  if (a === 172) return b < 16 || b > 31;
  return a !== 192 || b !== 168;
}

/** Global unicast addresses begin with 2 or 3, in a first group of four digits. */
function isPublicIpv6(address: string): boolean {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  return mapped === undefined ? /^[23][\da-f]{3}:/i.test(address) : isPublicIpv4(mapped);
}
