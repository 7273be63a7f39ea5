/*
 * Case is ignored code point by code point: two code points are the same if `toLowerCase` of each alone gives the same
 * code point. So Σ is σ but not the final ς, K is also the Kelvin sign, ẞ is ß, and nothing changes the length: İ, whose
 * lower case is two code points, is only İ. Accents count, and so does how they are encoded: é as one code point is not
 * e with a combining accent.
 */

/** No code point above has a lower case. */
const LAST_CASED = 0x1ffff;

export function foldCase(codePoint: number): number {
  const lower = String.fromCodePoint(codePoint).toLowerCase();
  const folded = lower.codePointAt(0) ?? codePoint;
  return lower.length === (folded > 0xffff ? 2 : 1) ? folded : codePoint;
}

let upperCases: Map<number, number[]> | undefined;

/** All code points that are the same as this one, in ascending order. */
export function caseVariants(codePoint: number): number[] {
  upperCases ??= mapUpperCases();
  const folded = foldCase(codePoint);
  return [...(upperCases.get(folded) ?? []), folded].sort((a, b) => a - b);
}

function mapUpperCases(): Map<number, number[]> {
  const map = new Map<number, number[]>();
  for (let codePoint = 0; codePoint <= LAST_CASED; codePoint += 1) {
    const folded = foldCase(codePoint);
    if (folded === codePoint) continue;
    const others = map.get(folded);
    if (others) others.push(codePoint);
    else map.set(folded, [codePoint]);
  }
  return map;
}
