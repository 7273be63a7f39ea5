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

/** The last three letters of the names above, in one number. */
const LAST_LETTERS = new Set(
  ENDINGS.map((ending) =>
    [...ending.slice(-3)].reduce((sum, letter) => (sum << 8) | letter.charCodeAt(0), 0),
  ),
);
const tableOf = (codes: Iterable<number>) => {
  const table = new Uint8Array(256);
  for (const code of codes) table[code] = 1;
  return table;
};
const SEPARATORS = tableOf([..."-_. "].map((sign) => sign.charCodeAt(0)));
const LAST_LETTER = tableOf([...LAST_LETTERS].map((letters) => letters & 0xff));

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
  if (!LAST_LETTERS.has(letters)) return false;
  const name = bytes.toString("latin1", Math.max(start, end - MAX_NAME_LENGTH), end);
  return isSecretName(name.slice(name.lastIndexOf('"') + 1));
}
