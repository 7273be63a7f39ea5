/*
 * Classes of characters, by their code. Texts are matched by ASCII unless a type says otherwise, so a letter is an ASCII
 * letter.
 */

const LETTER = 1;
const DIGIT = 2;
const CLASSES = new Uint8Array(128);
for (let code = 0x30; code <= 0x39; code += 1) CLASSES[code] = DIGIT;
for (let code = 0x41; code <= 0x5a; code += 1) CLASSES[code] = CLASSES[code + 0x20] = LETTER;

/** Beyond the end of a text the code is NaN, which is in no class. */
export const isDigit = (code: number) => CLASSES[code] === DIGIT;
export const isLetter = (code: number) => CLASSES[code] === LETTER;
export const isLetterOrDigit = (code: number) => (CLASSES[code] ?? 0) !== 0;
export const isUpperCase = (code: number) => code >= 0x41 && code <= 0x5a;
/** What keys of vendors and the parts of a JWT consist of. */
export const isTokenCharacter = (code: number) =>
  (CLASSES[code] ?? 0) !== 0 || code === 0x2d || code === 0x5f;
