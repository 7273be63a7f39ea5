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

/** The codes of a name's letters, from the last one to the first. */
const reversed = (name: string) => Uint8Array.from(name, (letter) => letter.charCodeAt(0)).reverse();
/** The names above by their last three letters in one number. */
const BY_LAST_LETTERS: ReadonlyMap<number, readonly Uint8Array[]> = Map.groupBy(
  ENDINGS.map(reversed),
  ([last = 0, second = 0, third = 0]) => last | (second << 8) | (third << 16),
);
const tableOf = (codes: Iterable<number>) => {
  const table = new Uint8Array(256);
  for (const code of codes) table[code] = 1;
  return table;
};
const SEPARATORS = tableOf(reversed("-_. "));
const LAST_LETTER = tableOf([...BY_LAST_LETTERS.keys()].map((letters) => letters & 0xff));

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
