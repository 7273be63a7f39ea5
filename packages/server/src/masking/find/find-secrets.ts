import { isLetterOrDigit, isTokenCharacter } from "./characters.ts";
import { charactersWhere, findInRuns } from "./find-in-runs.ts";
import { findNamedSecrets } from "./find-named-secrets.ts";
import { type FindRanges, NO_RANGES } from "./find-ranges.ts";
import { vendorKeys } from "./vendor-keys.ts";

/** No key of a vendor and no credential is shorter. */
const MIN_RUN = 16;
const LETTER_E = 0x65;
const DOT = 0x2e;
const COLON = 0x3a;
const AT = 0x40;
const BLANKS = new Set([0x20, 0x09]);
/** Between the scheme of a URL and its host. */
const MAX_USER_LENGTH = 1_024;

/** Keys of vendors, tokens, credentials of headers and of URLs, and private keys. */
export const findSecrets: FindRanges = (text) => {
  if (text.length < MIN_LENGTH) return NO_RANGES;
  const ranges = [...findInRuns(text, RUN, findInRun)];
  findUrlCredentials(text, ranges);
  findNamedSecrets(text, ranges);
  findPrivateKeys(text, ranges);
  return ranges.length === 0 ? NO_RANGES : ranges;
};
/** `a://b:c@`, the shortest of all. */
const MIN_LENGTH = 8;

/** What follows `Bearer`: RFC 6750's token68. Keys of vendors use less. */
const CREDENTIAL_SIGNS = new Set([..."-._~+/="].map((sign) => sign.charCodeAt(0)));
const RUN = {
  characters: charactersWhere((code) => isLetterOrDigit(code) || CREDENTIAL_SIGNS.has(code)),
  minLength: MIN_RUN,
};

/** A longer run is an encoded file, in which the prefix of a key turns up by chance: only its beginning is looked at. */
const MAX_RUN = 4_096;
const MAX_BEGINNING = 256;

function findInRun(text: string, start: number, end: number, ranges: number[]) {
  if (followsScheme(text, start)) {
    ranges.push(start, end);
    return;
  }
  const lookEnd = end - start > MAX_RUN ? start + MAX_BEGINNING : end;
  for (let at = start; at < lookEnd; ) {
    if (!isTokenCharacter(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    // Some keys have dots or slashes in them.
    const keyEnd = vendorKeyEnd(text, at);
    if (keyEnd > 0) {
      ranges.push(at, keyEnd);
      at = keyEnd;
      continue;
    }
    let wordEnd = at + 1;
    while (wordEnd < end && isTokenCharacter(text.charCodeAt(wordEnd))) wordEnd += 1;
    at = wordEnd - at >= MIN_RUN ? findInWord(text, at, wordEnd, { lookEnd, ranges }) : wordEnd;
  }
}

/** Finds keys in a run of letters, digits, hyphens and underscores. Returns where to go on. */
function findInWord(
  text: string,
  start: number,
  end: number,
  { lookEnd, ranges }: { lookEnd: number; ranges: number[] },
): number {
  // Whether a JWT begins in this word depends on what follows the word, so the first place that could begin one decides.
  let mayBeJwt = true;
  for (let at = start; at < lookEnd && at + MIN_RUN <= end; at += 1) {
    if (isLetterOrDigit(text.charCodeAt(at - 1))) continue;
    if (mayBeJwt && text.charCodeAt(at) === LETTER_E && text.startsWith("eyJ", at)) {
      mayBeJwt = false;
      const tokenEnd = jwtEnd(text, at, end);
      if (tokenEnd > 0) {
        ranges.push(at, tokenEnd);
        return tokenEnd;
      }
    }
    const keyEnd = vendorKeyEnd(text, at);
    if (keyEnd > 0) {
      ranges.push(at, keyEnd);
      return keyEnd;
    }
  }
  return end;
}

/** The end of the key of a vendor that begins here, or -1. */
function vendorKeyEnd(text: string, start: number): number {
  const keys = vendorKeys(text.charCodeAt(start), text.charCodeAt(start + 1), text.charCodeAt(start + 2));
  for (const { prefix, characters, min, max } of keys) {
    const from = start + prefix.length;
    let compared = start + 3;
    while (compared < from && text.charCodeAt(compared) === prefix.charCodeAt(compared - start))
      compared += 1;
    if (compared < from) continue;
    let end = from;
    while (end - from < max && characters[text.charCodeAt(end)] === 1) end += 1;
    if (end - from >= min && !isLetterOrDigit(text.charCodeAt(end))) return end;
  }
  return -1;
}

/** Two to four more parts, each after a dot. The first one is the rest of the word. */
function jwtEnd(text: string, start: number, wordEnd: number): number {
  if (wordEnd - start < 13 || text.charCodeAt(wordEnd) !== DOT) return -1;
  const second = partEnd(text, wordEnd + 1);
  if (text.charCodeAt(second) !== DOT) return -1;
  let end = partEnd(text, second + 1);
  // The second one is empty in an encrypted token whose key both sides know.
  const isEmpty = second === wordEnd + 1;
  if ((second - wordEnd < 11 && !isEmpty) || end - second < 11) return -1;
  for (let part = 0; part < 2 && text.charCodeAt(end) === DOT; part += 1) {
    const next = partEnd(text, end + 1);
    if (next === end + 1) break;
    end = next;
  }
  return end;
}

function partEnd(text: string, start: number): number {
  let end = start;
  while (isTokenCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** Whether the word before is `Bearer` or `Basic`. */
function followsScheme(text: string, start: number): boolean {
  let end = start;
  while (end > start - 4 && BLANKS.has(text.charCodeAt(end - 1))) end -= 1;
  return end < start && /(?:^|[^a-z\d])(?:bearer|basic)$/i.test(text.slice(Math.max(0, end - 7), end));
}

/** User and password between the scheme and the host of a URL. */
function findUrlCredentials(text: string, ranges: number[]) {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    if (!isLetterOrDigit(text.charCodeAt(at - 1))) continue;
    const start = at + 3;
    let end = -1;
    let hasPassword = false;
    for (let index = start; index < start + MAX_USER_LENGTH; index += 1) {
      const code = text.charCodeAt(index);
      // NaN at the end of the text.
      if (!(code > 0x20) || URL_STOPS.has(code)) break;
      if (code === COLON) hasPassword = true;
      if (code === AT && hasPassword && index > start) end = index;
    }
    if (end > 0) ranges.push(start, end);
  }
}
const URL_STOPS = new Set([..."/?#\"'<>`\\"].map((sign) => sign.charCodeAt(0)));

const KEY_MARK = "PRIVATE KEY";
const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}$/;
const END = /-----END [A-Z0-9 ]{0,40}$/;

/** From the first line of a PEM key to its last, or as far as it goes if it was truncated. */
function findPrivateKeys(text: string, ranges: number[]) {
  let begin = -1;
  let contentStart = 0;
  for (let mark = text.indexOf(KEY_MARK); mark >= 0; mark = text.indexOf(KEY_MARK, mark + KEY_MARK.length)) {
    const markEnd = lineEnd(text, mark + KEY_MARK.length);
    if (markEnd < 0) continue;
    const before = text.slice(Math.max(0, mark - 51), mark);
    if (begin >= 0 && END.test(before)) {
      ranges.push(begin, markEnd);
      begin = -1;
      continue;
    }
    const length = BEGIN.exec(before)?.[0].length;
    if (length === undefined) continue;
    if (begin >= 0) ranges.push(begin, base64End(text, contentStart));
    begin = mark - length;
    contentStart = headersEnd(text, markEnd);
  }
  if (begin >= 0) ranges.push(begin, base64End(text, contentStart));
}

/** The end of the line of a private key, or -1 if it is none. */
function lineEnd(text: string, at: number): number {
  const start = text.startsWith(" BLOCK", at) ? at + 6 : at;
  return text.startsWith("-----", start) ? start + 5 : -1;
}

/** Headers of an encrypted key, such as `Proc-Type: 4,ENCRYPTED`. */
const HEADERS = /(?:(?:\s|\\[nr]){1,4}[A-Za-z-]{1,30}: [\w,.@() +/-]{1,200}){0,8}/y;

function headersEnd(text: string, start: number): number {
  HEADERS.lastIndex = start;
  return start + (HEADERS.exec(text)?.[0].length ?? 0);
}

/** Also if its line breaks are written as `\n`. */
function base64End(text: string, start: number): number {
  let end = start;
  while (end < text.length && /[A-Za-z\d+/=\s\\]/.test(text.charAt(end))) end += 1;
  return end;
}
