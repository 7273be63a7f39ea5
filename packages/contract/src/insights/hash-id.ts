import type { HashId } from "./rate.ts";

/*
 * Hashes on the wire are hexadecimal, so that nobody takes them for amounts: 14 digits for a signature (53 bits), 8 for a
 * step or fingerprint (32 bits). The step "0" is the start of a run.
 */
const SIGNATURE_DIGITS = 14;
const HASH32_DIGITS = 8;
const START = "0";

export const signatureToHex = (signature: number): HashId =>
  signature.toString(16).padStart(SIGNATURE_DIGITS, "0");

/** Returns undefined if the text is not a signature. */
export function signatureFromHex(text: string): number | undefined {
  const signature = /^[0-9a-f]{14}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
  return Number.isSafeInteger(signature) ? signature : undefined;
}

export const hash32ToHex = (hash: number): HashId =>
  hash === 0 ? START : hash.toString(16).padStart(HASH32_DIGITS, "0");

/** Returns undefined if the text is neither a step nor a fingerprint. */
export function hash32FromHex(text: string): number | undefined {
  if (text === START) return 0;
  return /^[0-9a-f]{8}$/.test(text) ? Number.parseInt(text, 16) : undefined;
}
