import { caseVariants } from "./case-variants.ts";

/*
 * What a search finds. The query is text as people type it. A field of a record contains it
 *
 * - if the field is JSON: within one string, key or value, whatever escapes it was sent with (`\n`, `\"`, `\/`, `\u00e9`,
 *   surrogate pairs), or within one number or one of true, false and null, as it was sent. Never across two of them, and
 *   never from the middle of an escape: the n of `\n` is no n.
 * - if the field is text: anywhere in it.
 *
 * Case is ignored as case-variants.ts says.
 *
 * Nothing is parsed to find it. The bytes are taken for a string of one character a byte (latin1), and a regular expression
 * knows each form that a character of the query can have in these bytes: the UTF-8 of its case variants, and in JSON their
 * escapes. What it finds are candidates, which match-fields.ts checks.
 */

export interface BytePattern {
  /**
   * Whether bytes contain a candidate at all. It looks for the query's rarest character first and then for what is before
   * it, which is up to four times as fast as `candidates` where there are none.
   */
  filter: RegExp;
  candidates: RegExp;
}

export interface SearchPattern {
  text: BytePattern;
  json: BytePattern;
  /** No candidate is longer. */
  maxBytes: number;
  /** Whether a candidate in JSON can lie outside of strings and span tokens, or blanks between them. */
  canSpanTokens: boolean;
}

const SHORT_ESCAPES = new Map(
  Object.entries({
    '"': '"',
    "\\": "\\",
    "/": "/",
    "\b": "b",
    "\f": "f",
    "\n": "n",
    "\r": "r",
    "\t": "t",
  }).map(([character, letter]) => [character.codePointAt(0), letter]),
);
const MAX_FORM_BYTES = 12;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** The characters of agents' payloads, the most frequent first. All others are rarer. */
const FREQUENT = ' etrnosiacl"dumh\\:,pfgbyvw{}.2140_6385779z`/-(k);jqx=[]?';

export function compileSearchPattern(query: string): SearchPattern {
  const characters = [...query];
  const compile = (forms: (codePoints: number[]) => string[]): BytePattern => {
    const sources = characters.map((character) => {
      const alternatives = forms(caseVariants(character.codePointAt(0) ?? 0));
      return alternatives.length > 0 ? `(?:${alternatives.join("|")})` : NOTHING;
    });
    const rarest = rarestOf(characters);
    const [before, after] = [sources.slice(0, rarest).join(""), sources.slice(rarest).join("")];
    return { filter: new RegExp(`(?<=${before})${after}`), candidates: new RegExp(before + after, "g") };
  };
  return {
    text: compile(rawForms),
    json: compile((codePoints) => [
      ...rawForms(codePoints.filter(isRawInJson)),
      ...shortEscapes(codePoints),
      ...codePoints.map(unicodeEscape),
    ]),
    maxBytes: characters.length * MAX_FORM_BYTES,
    canSpanTokens: /[[\]{}:, ]/.test(query),
  };
}

/** A regular expression that nothing matches. */
const NOTHING = "[]";

function rarestOf(characters: string[]): number {
  const rarity = characters.map((character) => {
    const rank = FREQUENT.indexOf(character.toLowerCase());
    return rank < 0 ? FREQUENT.length : rank;
  });
  return rarity.indexOf(Math.max(...rarity));
}

/** The UTF-8 of code points. Those that differ only in the last byte share a character class, which is fast. */
function rawForms(codePoints: number[]): string[] {
  const byPrefix = Map.groupBy(codePoints.map(toLatin1), (bytes) => bytes.slice(0, -1));
  return [...byPrefix].map(([prefix, forms]) => {
    const lastBytes = forms.map((bytes) => bytes.slice(-1)).join("");
    return `${escapeBytes(prefix)}[${escapeBytes(lastBytes)}]`;
  });
}

const isRawInJson = (codePoint: number) =>
  codePoint >= FIRST_PRINTABLE && codePoint !== QUOTE && codePoint !== BACKSLASH;

const shortEscapes = (codePoints: number[]) =>
  codePoints
    .map((codePoint) => SHORT_ESCAPES.get(codePoint))
    .filter((letter) => letter !== undefined)
    .map((letter) => `\\\\${escapeBytes(letter)}`);

/** `\uXXXX`, two of them for a surrogate pair, with hexadecimal digits of either case. */
const unicodeEscape = (codePoint: number) =>
  String.fromCodePoint(codePoint)
    .split("")
    .map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"))
    .map((digits) => `\\\\u${digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`)
    .join("");

const toLatin1 = (codePoint: number) => Buffer.from(String.fromCodePoint(codePoint)).toString("latin1");

const escapeBytes = (latin1: string) =>
  Array.from(latin1, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
