import { RE2JS } from "re2js";
import { type FindRanges, NO_RANGES } from "./find/find-ranges.ts";

const MAX_INSTRUCTIONS = 2_000;
/** A pattern that looks far ahead for each of its matches is not linear. It gets this much time for a value. */
const MAX_MS = 1_000;
const MAX_MS_PER_MIB = 1_000;
const FINDS_BETWEEN_CHECKS = 64;

export class PatternError extends Error {}

class PatternTimeout extends Error {
  override name = "PatternTimeout";
}

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

/** Finds what a pattern matches. Throws if that takes too long. */
export function findPattern(pattern: RE2JS): FindRanges {
  return (text) => {
    // Only says whether there is a match, which takes much less time.
    if (!pattern.test(text)) return NO_RANGES;
    const deadline = performance.now() + MAX_MS + (text.length / 1_048_576) * MAX_MS_PER_MIB;
    const ranges: number[] = [];
    const matcher = pattern.matcher(text);
    for (let finds = 0; matcher.find(); finds += 1) {
      if (matcher.end() > matcher.start()) ranges.push(matcher.start(), matcher.end());
      if (finds % FINDS_BETWEEN_CHECKS === 0 && performance.now() > deadline)
        throw new PatternTimeout("A pattern exceeded its time");
    }
    return ranges;
  };
}
