import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/*
 * wt_ + 30 base62 characters (178 random bits) + 6 of checksum (CRC-32 of what stands before it). The prefix lets
 * a scanner find a leaked key, the checksum tells a mistyped one without asking the database.
 */
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^wt_[${BASE62}]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function generateKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(62)]).join("");
  return `wt_${random}${checksum(`wt_${random}`)}`;
}

export function isWellFormedKey(key: string): boolean {
  return FORMAT.test(key) && key.endsWith(checksum(key.slice(0, -CHECKSUM_LENGTH)));
}

/** What a person recognises the key by in a list: too little to guess the rest from. */
export const keyPrefix = (key: string) => key.slice(0, 10);

export const hashKey = (key: string) => createHash("sha256").update(key).digest();

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
