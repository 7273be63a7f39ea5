import type { CompiledRule } from "./compiled-rule.ts";
import { TextNotChecked } from "./find/text-not-checked.ts";

/** Numbers of four digits that are hashed, one after the other, need five times their length. */
const MAX_TIMES = 8;
/** Beyond that, for the names and tags of a trace with little in it. */
const SPARE_LENGTH = 1_024;

export class TokensTooLong extends TextNotChecked {
  override name = "TokensTooLong";

  constructor({ name, id }: Pick<CompiledRule, "name" | "id">) {
    super("The tokens of a rule would make a value too long", name === null ? undefined : { name, id });
  }
}

/**
 * How much longer the values of a trace may become. A token has up to a hundred characters: a rule for each letter would make of a body
 * that a workspace may send one that neither memory nor database has room for.
 */
export class TokenRoom {
  left = SPARE_LENGTH;

  add(length: number) {
    this.left += MAX_TIMES * length;
  }

  /** Throws if there is no room for a token of the rule. */
  take(rule: Pick<CompiledRule, "name" | "id">, longer: number) {
    this.left -= longer;
    if (this.left < 0) throw new TokensTooLong(rule);
  }
}
