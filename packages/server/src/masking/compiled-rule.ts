import type { MaskingMethod, MaskingType } from "@whytrace/contract/schemas/masking/settings";
import type { FindRanges } from "./find/find-ranges.ts";
import type { PatternBudget } from "./find/pattern-budget.ts";
import type { Source } from "./source.ts";

/** A rule, or a type of a level, ready to be applied. */
export interface CompiledRule {
  /** The place in the order. Where rules match the same, the lowest rank decides. */
  rank: number;
  type: MaskingType;
  /** Of a workspace's rule. */
  id?: string;
  /** Null if it is a type of a level. */
  name: string | null;
  method: MaskingMethod;
  source: Source;
  /** The word in its tokens. */
  word: string;
  /** What `replace` writes. */
  text: string;
  /** Of a type that is matched in texts. */
  find?: FindRanges;
  /** Of a pattern, which is matched in the text as it was sent, with the letters of escapes in it. The workspace's patterns share one. */
  budget?: PatternBudget;
  /** Of the type key: whether a key of an object has one of the names. */
  isNamed?: (name: string) => boolean;
  /** Of the same: whether a value under this name is masked, which may depend on how it looks. */
  isMasked?: (name: string, text: () => string | undefined) => boolean;
  /** Of an exception: whether it is for some names or for what a pattern matches, and not for its type as a whole. */
  isPartial: boolean;
  /** Set if it is masked by the operator's floor, from which no rule is an exception. */
  isFloor: boolean;
  /** Whether `mayMatch` knows what it is about. */
  isBuiltIn: boolean;
}
