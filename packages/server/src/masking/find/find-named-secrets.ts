import { isSecretName, isWholeSecretName } from "../secret-names.ts";
import { isLetterOrDigit } from "./characters.ts";
import { looksLikeSecret } from "./looks-like-secret.ts";

const [COLON, EQUALS, BLANK, TAB, BACKSLASH, GREATER, LINE_FEED, RETURN] = [
  0x3a, 0x3d, 0x20, 0x09, 0x5c, 0x3e, 0x0a, 0x0d,
];
const MAX_NAME_LENGTH = 64;
const MAX_BLANKS = 8;
const QUOTES = new Set([..."\"'`"].map((quote) => quote.charCodeAt(0)));
/** Where a value without quotes ends. */
const VALUE_ENDS = new Set([..." \t\n\r,;&\"'`<>()[]{}|\\\u0001"].map((sign) => sign.charCodeAt(0)));
const IN_NAME = new Set([..."-_."].map((sign) => sign.charCodeAt(0)));
const BEFORE_PARAMETER = new Set(["?", "&"]);

/** Headers whose values have blanks and go on to the end of the line. */
const IS_HEADER = /(?:cookie|authorization)$/i;

/**
 * Finds values behind the names of secrets in any text: `DB_PASSWORD=…`, `X-Api-Key: …`, `?access_token=…`, and JSON that is fenced,
 * truncated or stands in the middle of a text. Looks around each separator, at a bounded number of characters before it.
 */
export function findNamedSecrets(text: string, ranges: number[]) {
  let from = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code !== EQUALS && code !== COLON) || at < from) continue;
    const name = nameBefore(text, at);
    if (name === undefined) continue;
    const range = valueBehind(text, at, name);
    if (!range) continue;
    ranges.push(range.start, range.end);
    from = range.end;
  }
}

interface Name {
  text: string;
  /** The character before it. */
  before: string;
}

/** The name that ends before a separator, if it is that of a secret. */
function nameBefore(text: string, separator: number): Name | undefined {
  let end = separator;
  const first = Math.max(0, end - MAX_BLANKS);
  while (end > first && isBetween(text.charCodeAt(end - 1))) end -= 1;
  let start = end;
  const last = Math.max(0, end - MAX_NAME_LENGTH);
  while (start > last && isInName(text.charCodeAt(start - 1))) start -= 1;
  if (end - start < 2) return undefined;
  const name = text.slice(start, end);
  if (isSecretName(name) || isWholeSecretName(name)) return { text: name, before: text.charAt(start - 1) };
  // `API key: …`
  const word =
    text.charCodeAt(start - 1) === BLANK
      ? /[A-Za-z]{3,10} $/.exec(text.slice(Math.max(0, start - 11), start))?.[0]
      : undefined;
  return word !== undefined && isSecretName(word + name) ? { text: word + name, before: "" } : undefined;
}

const isBetween = (code: number) => code === BLANK || code === TAB || code === BACKSLASH || QUOTES.has(code);
const isInName = (code: number) => isLetterOrDigit(code) || IN_NAME.has(code);

function valueBehind(
  text: string,
  separator: number,
  name: Name,
): { start: number; end: number } | undefined {
  let start = separator + 1;
  // `=>`, `:=`, `==`
  while (start < separator + 3 && [EQUALS, GREATER].includes(text.charCodeAt(start))) start += 1;
  const unspaced = start;
  while (start < unspaced + MAX_BLANKS && [BLANK, TAB].includes(text.charCodeAt(start))) start += 1;
  const isHeader = IS_HEADER.test(name.text);
  const isEscaped = text.charCodeAt(start) === BACKSLASH && QUOTES.has(text.charCodeAt(start + 1));
  if (isEscaped) start += 1;
  const quote = text.charCodeAt(start);
  const isQuoted = QUOTES.has(quote);
  if (isQuoted) start += 1;
  const endWithin = (limit: number) => {
    if (isQuoted) return quotedEnd(text, start, limit, { quote, isEscaped });
    let end = start;
    while (end < limit && !endsValue(text.charCodeAt(end), isHeader)) end += 1;
    return end;
  };
  const isParameter = BEFORE_PARAMETER.has(name.before) || name.before === ";";
  const isConstant = /^[A-Z][A-Z\d_]+$/.test(name.text);
  const isUnspaced = text.charCodeAt(separator) === EQUALS && start === separator + 1;
  const isAssigned = isQuoted || (isUnspaced && (isParameter || isConstant));
  const limit = Math.min(text.length, start + MAX_LOOKED_AT);
  const end = endWithin(limit);
  if (!isAccepted(text, start, end, { isHeader, isAssigned, name })) return undefined;
  // Only what is masked is looked at to its end: what is not may be the beginning of the next value.
  const wholeEnd = end < limit ? end : endWithin(text.length);
  return { start, end: isHeader ? trimmedEnd(text, start, wholeEnd) : wholeEnd };
}

const endsValue = (code: number, isHeader: boolean) =>
  isHeader
    ? code === LINE_FEED || code === RETURN || code === BACKSLASH || QUOTES.has(code)
    : VALUE_ENDS.has(code);

function trimmedEnd(text: string, start: number, end: number): number {
  let trimmed = end;
  while (trimmed > start && text.charCodeAt(trimmed - 1) <= BLANK) trimmed -= 1;
  return trimmed;
}

/** Where the quote is closed, or the line or the text ends. */
function quotedEnd(
  text: string,
  start: number,
  limit: number,
  { quote, isEscaped }: { quote: number; isEscaped: boolean },
): number {
  for (let end = start; end < limit; end += 1) {
    const code = text.charCodeAt(end);
    if (code === LINE_FEED || code === RETURN) return end;
    if (code === BACKSLASH) {
      if (isEscaped && text.charCodeAt(end + 1) === quote) return end;
      end += 1;
    } else if (code === quote && !isEscaped) return end;
  }
  return limit;
}

interface Found {
  isHeader: boolean;
  /** Whether it is written as a value: in quotes, in a variable of an environment, or in the query of a URL. */
  isAssigned: boolean;
  name: Name;
}

function isAccepted(
  text: string,
  start: number,
  end: number,
  { isHeader, isAssigned, name }: Found,
): boolean {
  const value = text.slice(start, end);
  // What stands for a value that was masked before.
  if (name.before === "[" && text.charAt(end) === "]" && OWN_TOKEN.test(value)) return false;
  const scheme = isHeader ? (SCHEME.exec(value)?.[0].length ?? 0) : 0;
  // A sentence, and neither credentials nor the pairs of a cookie.
  if (isHeader && scheme === 0 && /\s/.test(value) && !/^[\w.-]+=/.test(value)) return false;
  const isWeak = !isSecretName(name.text);
  return looksLikeSecret(value.slice(scheme), { isAssigned: isAssigned && !isWeak });
}

/** A longer value looks like its beginning. */
const MAX_LOOKED_AT = 512;
const OWN_TOKEN = /^[\da-f]{16}$/;
const SCHEME = /^(?:basic|bearer|token|digest|apikey|key)\s+/i;
