import type { MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { HttpError } from "../http/http-error.ts";
import { compilePattern, PatternError } from "../masking/find/own-pattern.ts";
import { isTooSlowAtWorst } from "../masking/find/worst-cost.ts";

/** A pattern, and which of the rules has it, counted from 1. */
export interface NumberedPattern {
  number: number;
  pattern: string;
  isEnabled: boolean;
}

export const SLOW_AT_WORST =
  "the pattern is too slow in texts that are hard for it. Add a fixed word, or shorten its repetitions";

export const patternsOf = (rules: readonly MaskingRule[]): NumberedPattern[] =>
  rules.flatMap(({ type, pattern, isEnabled = true }, index) =>
    type === "pattern" && pattern !== undefined ? [{ number: index + 1, pattern, isEnabled }] : [],
  );

/** Compiles patterns; fails with what is wrong with the first one. New ones must not be too slow in any text. */
export function checkPatterns(patterns: readonly NumberedPattern[], isNew: boolean) {
  for (const { number, pattern, isEnabled } of patterns) {
    const refuse = (reason: string) => new HttpError(400, `Rule ${number}: ${reason}`);
    try {
      const compiled = compilePattern(pattern);
      if (isNew && isEnabled && isTooSlowAtWorst(compiled, pattern)) throw refuse(SLOW_AT_WORST);
    } catch (error) {
      throw error instanceof PatternError ? refuse(error.message) : error;
    }
  }
}
