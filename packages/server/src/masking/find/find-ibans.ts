import { isDigit, isLetterOrDigit, isUpperCase } from "./characters.ts";
import { charactersWhere, findInRuns } from "./find-in-runs.ts";
import type { FindRanges } from "./find-ranges.ts";

/** The two letters of a country as a number. */
const countryOf = (first: number, second: number) => (first << 8) | second;

/** The length of account numbers by country, of the registry of IBAN formats. */
const LENGTHS: ReadonlyMap<number, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 " +
    "FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 " +
    "LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 " +
    "RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((entry) => [countryOf(entry.charCodeAt(0), entry.charCodeAt(1)), Number(entry.slice(2))]),
);
const MIN_LENGTH = 15;
const BLANK = 0x20;
const ZERO = 0x30;
const LETTER_A = 0x41;

/** International bank account numbers, by country, length and check digits, together or in groups of four. */
export const findIbans: FindRanges = (text) => findInRuns(text, RUN, findInRun);

const RUN = {
  characters: charactersWhere((code) => isDigit(code) || isUpperCase(code) || code === BLANK),
  minLength: MIN_LENGTH,
};

function findInRun(text: string, start: number, end: number, ranges: number[]) {
  for (let at = start; at + MIN_LENGTH <= end; at += 1) {
    const ibanEnd = isBeginning(text, at) ? accountEnd(text, at) : -1;
    if (ibanEnd < 0) continue;
    ranges.push(at, ibanEnd);
    at = ibanEnd - 1;
  }
}

const isBeginning = (text: string, at: number) =>
  isUpperCase(text.charCodeAt(at)) &&
  isUpperCase(text.charCodeAt(at + 1)) &&
  isDigit(text.charCodeAt(at + 2)) &&
  isDigit(text.charCodeAt(at + 3)) &&
  !isLetterOrDigit(text.charCodeAt(at - 1));

function accountEnd(text: string, start: number): number {
  const length = LENGTHS.get(countryOf(text.charCodeAt(start), text.charCodeAt(start + 1)));
  if (length === undefined) return -1;
  const isGrouped = text.charCodeAt(start + 4) === BLANK;
  let at = start + 4;
  for (let taken = 4; taken < length; taken += 1) {
    if (isGrouped && taken % 4 === 0) {
      if (text.charCodeAt(at) !== BLANK) return -1;
      at += 1;
    }
    const code = text.charCodeAt(at);
    if (!isDigit(code) && !isUpperCase(code)) return -1;
    at += 1;
  }
  return !isLetterOrDigit(text.charCodeAt(at)) && hasCheckDigits(text, start, at) ? at : -1;
}

/** ISO 7064, modulo 97: the first four characters count last. */
function hasCheckDigits(text: string, start: number, end: number): boolean {
  let rest = 0;
  for (let at = start + 4; at < end; at += 1)
    if (text.charCodeAt(at) !== BLANK) rest = withCharacter(rest, text.charCodeAt(at));
  for (let at = start; at < start + 4; at += 1) rest = withCharacter(rest, text.charCodeAt(at));
  return rest === 1;
}

/** A letter counts as 10 to 35. */
const withCharacter = (rest: number, code: number) =>
  isDigit(code) ? (rest * 10 + code - ZERO) % 97 : (rest * 100 + code - LETTER_A + 10) % 97;
