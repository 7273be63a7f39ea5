const ENDINGS = [
  "password",
  "passwd",
  "pwd",
  "passphrase",
  "secret",
  "apikey",
  "secretkey",
  "privatekey",
  "accesskey",
  "authorization",
  "cookie",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "authtoken",
  "sessiontoken",
  "apitoken",
  "bottoken",
  "bearertoken",
  "sastoken",
  "securitytoken",
  "deploytoken",
  "accesstokensecret",
  "passwords",
  "passcode",
  "passwordconfirmation",
  "secrets",
  "apikeys",
  "credentials",
  "encryptionkey",
  "signingkey",
  "accountkey",
  "privatekeypem",
  "connectionstring",
];
/** Names that are also used for other things: a value under one of them is a secret only if it looks like one. */
const WEAK_NAMES = [
  "token",
  "auth",
  "pass",
  "jwt",
  "credential",
  "cookies",
  "sid",
  "sig",
  "otp",
  "webhookurl",
];

/** Lower case and without separators, so that `X-Api-Key`, `api_key` and `apiKey` are one name. */
export const normalName = (name: string) => name.toLowerCase().replace(/[-_. ]/g, "");

/** Longer names are looked at from their end. */
const MAX_NAME_LENGTH = 200;

/** Whether a key of an object names a secret: `db_password` does, `password_policy` and `max_tokens` do not. */
export function isSecretName(name: string): boolean {
  const normal = normalName(name.slice(-MAX_NAME_LENGTH));
  return ENDINGS.some((ending) => normal.endsWith(ending));
}

const WEAK = new Set(WEAK_NAMES);

/** Whether a key of an object is, as a whole, a name that is often that of a secret. */
export const isWholeSecretName = (name: string): boolean =>
  name.length <= MAX_NAME_LENGTH && WEAK.has(normalName(name));

/** The codes of a name's letters, from the last one to the first. */
const reversed = (name: string) => Uint8Array.from(name, (letter) => letter.charCodeAt(0)).reverse();
/** The names above by their last three letters in one number. */
const BY_LAST_LETTERS: ReadonlyMap<number, readonly Uint8Array[]> = Map.groupBy(
  [...ENDINGS, ...WEAK_NAMES].map(reversed),
  ([last = 0, second = 0, third = 0]) => last | (second << 8) | (third << 16),
);
const tableOf = (codes: Iterable<number>) => {
  const table = new Uint8Array(256);
  for (const code of codes) table[code] = 1;
  return table;
};
const SEPARATORS = tableOf(reversed("-_. "));
const LAST_LETTER = tableOf([...BY_LAST_LETTERS.keys()].map((letters) => letters & 0xff));

/** The last two letters, in ten bits. */
const twoOf = (letters: number) => (letters & 31) | ((letters >> 3) & 0x3e0);
const LAST_TWO = new Uint8Array(1_024);
for (const letters of BY_LAST_LETTERS.keys()) LAST_TWO[twoOf(letters)] = 1;

/*
 * What a byte is at the end of a name: 0 for what may stand between a name and its separator, 1 to 26 for a letter, and the last one
 * for what ends no name. In JSON inside a string, blanks may be escapes such as `\n` and `\u000a`, so some digits have numbers of their own.
 */
const [BETWEEN, DIGIT_0, DIGIT_2, DIGIT_9, QUOTE, OTHER] = [0, 27, 28, 29, 30, 31];
const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[A-Za-z]/.test(letter)) return code & 31;
  if (code <= 0x20 || "-_.'`\\".includes(letter)) return BETWEEN;
  return { 0: DIGIT_0, 2: DIGIT_2, 9: DIGIT_9, '"': QUOTE }[letter] ?? OTHER;
});
const classOf = (letter: string) => CLASSES[letter.charCodeAt(0)] ?? OTHER;
const endingOf = (third: number, second: number, last: number) => (third << 10) | (second << 5) | last;
/** By the classes of the last three bytes, a 1 where a closer look is needed. */
const TELLING = new Uint8Array(32_768);
const ENDS = [...ENDINGS, ...WEAK_NAMES, "value"].map((name) => Array.from(name.slice(-3), classOf));
for (let byte = 0; byte < 32; byte += 1) {
  for (let other = 0; other < 32; other += 1) {
    TELLING[endingOf(byte, other, BETWEEN)] = 1;
    TELLING[endingOf(byte, other, QUOTE)] = 1;
    TELLING[endingOf(byte, BETWEEN, other)] = 1;
  }
  // `\u0009`, `\u000a`, `\u000d` and `\u0020`.
  for (const last of [DIGIT_9, classOf("a"), classOf("d")]) TELLING[endingOf(byte, DIGIT_0, last)] = 1;
  TELLING[endingOf(byte, DIGIT_2, DIGIT_0)] = 1;
}
for (const [third = 0, second = 0, last = 0] of ENDS) {
  TELLING[endingOf(third, second, last)] = 1;
  TELLING[endingOf(BETWEEN, second, last)] = 1;
}

/** Whether a name that matters, or that is `value`, may end in these three bytes, as far as they are of a name. */
export const mayEndSecretName = (third: number, second: number, last: number): boolean =>
  TELLING[endingOf(CLASSES[third] ?? 0, CLASSES[second] ?? 0, CLASSES[last] ?? 0)] === 1;

/** Like `isSecretName`, for the bytes of a name that ends before `end`: it may be a yes for another name. Without escapes. */
export function mayBeSecretName(bytes: Buffer, start: number, end: number): boolean {
  let letters = 0;
  let count = 0;
  for (let at = end - 1; at >= start && count < 3; at -= 1) {
    const byte = bytes[at] ?? 0;
    if (SEPARATORS[byte] === 1) continue;
    // Most names end in another letter.
    const letter = byte | 0x20;
    if (count === 0 && LAST_LETTER[letter] === 0) return false;
    letters |= letter << (8 * count);
    count += 1;
    if (count === 2 && LAST_TWO[twoOf(letters)] === 0) return false;
  }
  return BY_LAST_LETTERS.get(letters)?.some((ending) => endsWith(bytes, start, end, ending)) ?? false;
}

/** Whether a name ends in these letters, upper case or lower case, with separators between. */
function endsWith(bytes: Buffer, start: number, end: number, reversedEnding: Uint8Array): boolean {
  let matched = 0;
  for (let at = end - 1; at >= start && matched < reversedEnding.length; at -= 1) {
    const byte = bytes[at] ?? 0;
    if (SEPARATORS[byte] === 1) continue;
    if ((byte | 0x20) !== reversedEnding[matched]) return false;
    matched += 1;
  }
  return matched === reversedEnding.length;
}
