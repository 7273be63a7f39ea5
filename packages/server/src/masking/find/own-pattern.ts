import { MatcherInput, RE2JS } from "re2js";
import { EndableText, type SearchLimit } from "./endable-text.ts";
import { type FindRanges, NO_RANGES } from "./find-ranges.ts";
import type { PatternBudget } from "./pattern-budget.ts";
import { maxMatchesIn, type RuleName, TooManyMatches } from "./text-not-checked.ts";

/** A character costs a step of each of them at most: with the length of a window it bounds what one search takes. */
const MAX_INSTRUCTIONS = 1_000;
/** Each window also has this much of the next one: a match that is not longer is in one of them as a whole. */
const WINDOW_LENGTH = 32_768;
const OVERLAP = 16_384;
/** The longest text that is searched at once. */
const MAX_SEARCHED_LENGTH = WINDOW_LENGTH + OVERLAP;

export class PatternError extends Error {}

const LOOKAROUND_OR_BACKREFERENCE = /\(\?<?[=!]|\\[1-9]|\\k[<{']|\(\?P=/;

/** Compiles a pattern of RE2's syntax, which is matched without backtracking. Throws a PatternError with what is wrong. */
export function compilePattern(pattern: string): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch {
    throw new PatternError(
      LOOKAROUND_OR_BACKREFERENCE.test(pattern)
        ? "the pattern is not supported: lookahead, lookbehind and backreferences cannot be matched in linear time"
        : "the pattern is not a regular expression",
    );
  }
  if (compiled.programSize() > MAX_INSTRUCTIONS)
    throw new PatternError(
      `the pattern is too large: ${compiled.programSize()} steps (at most ${MAX_INSTRUCTIONS})`,
    );
  if (compiled.test("")) throw new PatternError("the pattern matches the empty text");
  return compiled;
}

/**
 * Finds what a pattern matches. Throws if that takes more time than the budget has: a pattern that looks far ahead for each of its matches
 * is not linear, and a large one may need a step of each of its instructions for each character. A long text is searched in windows.
 */
export function findPattern(pattern: RE2JS, budget: PatternBudget, rule: RuleName): FindRanges {
  return (text) => {
    if (text.length <= MAX_SEARCHED_LENGTH) return findIn(pattern, text, budget.limitOf(rule));
    const ranges: number[] = [];
    for (let start = 0; start < text.length; start += WINDOW_LENGTH) {
      const end = Math.min(start + WINDOW_LENGTH + OVERLAP, text.length);
      const found = findIn(pattern, text.slice(start, end), budget.limitOf(rule));
      for (let index = 0; index < found.length; index += 2) {
        const [from = 0, to = 0] = [start + (found[index] ?? 0), start + (found[index + 1] ?? 0)];
        // At an edge of a window it may be a part of a match that the window before or after it has.
        const isCut = (from === start && start > 0) || (to === end && end < text.length);
        if (!isCut || to - from >= OVERLAP) ranges.push(from, to);
      }
      if (ranges.length / 2 > maxMatchesIn(text)) throw new TooManyMatches(rule);
    }
    return ranges;
  };
}

/** Finds what a pattern matches in a text that is not longer than a window. The limit may end it at any character. */
export function findIn(pattern: RE2JS, text: string, limit: SearchLimit): readonly number[] {
  const endable = new EndableText(text, pattern.programSize(), limit);
  // Only says whether there is a match, which takes much less time.
  if (!pattern.re2Input.match(endable)) return NO_RANGES;
  const ranges: number[] = [];
  const matcher = pattern.matcher(MatcherInput.utf16(endable));
  while (matcher.find()) {
    if (matcher.end() > matcher.start()) ranges.push(matcher.start(), matcher.end());
  }
  return ranges;
}
