const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Base64 with the alphabet for URLs and without padding (RFC 4648, section 5). */
export function toBase64url(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(index, index + 3);
    const bits = (first << 16) | (second << 8) | third;
    for (const shift of [18, 12, 6, 0]) text += ALPHABET.charAt((bits >>> shift) & 63);
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3));
}

/** Returns undefined unless the text is exactly what `toBase64url` returns for some bytes: bytes have one text. */
export function fromBase64url(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let [bits, count, length] = [0, 0, 0];
  for (const character of text) {
    const value = ALPHABET.indexOf(character);
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[length++] = bits >>> count;
  }
  return count < 6 && (bits & ((1 << count) - 1)) === 0 ? bytes : undefined;
}
