import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/*
 * wt_ + 30 base62 characters (178 random bits) + 6 characters of checksum (CRC-32 of the part before it). The prefix
 * lets secret scanners find leaked keys; the checksum detects a mistyped key without a database query.
 */
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const KEY_PREFIX = "wt_";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^${KEY_PREFIX}[${BASE62}]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

export function generateKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(62)]).join("");
  return `${KEY_PREFIX}${random}${checksum(`${KEY_PREFIX}${random}`)}`;
}

export function isWellFormedKey(key: string): boolean {
  return FORMAT.test(key) && key.endsWith(checksum(key.slice(0, -CHECKSUM_LENGTH)));
}

/** Identifies the key in a list; too short to guess the rest. */
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
