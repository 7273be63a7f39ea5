const TWO_TO_32 = 2 ** 32;
const HIGH_MASK = 2 ** 21 - 1;

/**
 * A hash of 53 bits, which a number holds exactly (the algorithm is known as cyrb53). It makes equal hashes of different
 * texts unlikely by chance, and is no protection against someone who looks for them: they mix up only their own data.
 */
export function hash53(text: string): number {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x9e3779b1);
    second = Math.imul(second ^ unit, 0x5f356495);
  }
  const low = mix(first, 16) ^ mix(second, 13, 0xc2b2ae35);
  const high = mix(second, 16) ^ mix(low, 13, 0xc2b2ae35);
  return (high & HIGH_MASK) * TWO_TO_32 + (low >>> 0);
}

/** A hash of 32 bits that is never 0, so that 0 can stand for nothing. */
export function hash32(text: string): number {
  return hash53(text) >>> 0 || 1;
}

const mix = (value: number, shift: number, factor = 0x85ebca6b) =>
  Math.imul(value ^ (value >>> shift), factor);
