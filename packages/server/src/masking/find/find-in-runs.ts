import { NO_RANGES } from "./find-ranges.ts";

const CODES = 128;

/** The characters that a run consists of. They are ASCII. */
export type RunCharacters = Uint8Array;

/** A table: a function that several types share would not be inlined, and it is asked for nearly each character. */
export const charactersWhere = (isPart: (code: number) => boolean): RunCharacters =>
  Uint8Array.from({ length: CODES }, (_, code) => (isPart(code) ? 1 : 0));

/**
 * Calls `findInRun` for each run of at least so many of the characters. Looks at one character of so many, and around it only
 * if it belongs to a run: a shorter run could be missed.
 */
export function findInRuns(
  text: string,
  { characters, minLength }: { characters: RunCharacters; minLength: number },
  findInRun: (text: string, start: number, end: number, ranges: number[]) => void,
): readonly number[] {
  let ranges: number[] | undefined;
  for (let index = minLength - 1; index < text.length; ) {
    if (characters[text.charCodeAt(index)] !== 1) {
      index += minLength;
      continue;
    }
    let start = index;
    while (start > 0 && characters[text.charCodeAt(start - 1)] === 1) start -= 1;
    let end = index + 1;
    while (end < text.length && characters[text.charCodeAt(end)] === 1) end += 1;
    if (end - start >= minLength) {
      ranges ??= [];
      findInRun(text, start, end, ranges);
    }
    index = end + minLength;
  }
  return ranges ?? NO_RANGES;
}
