/** By what people know a rule, and by what it is stored. */
export interface RuleName {
  name: string;
  id: string | undefined;
}

/** A text that rules could not be applied to: what stands for it says so. */
export class TextNotChecked extends Error {
  /** The rule that kept the text from being checked, if it was one. */
  readonly rule: RuleName | undefined;

  constructor(message: string, rule?: RuleName) {
    super(message);
    this.rule = rule;
  }
}

export class TooManyMatches extends TextNotChecked {
  override name = "TooManyMatches";

  constructor(rule: RuleName) {
    super("A pattern matches too often", rule);
  }
}

const MIN_SPACING = 4;
const SPARE_MATCHES = 10_000;

/** Each match takes memory, many times that of a character, also if nothing comes in its place. */
export const maxMatchesIn = ({ length }: string): number => length / MIN_SPACING + SPARE_MATCHES;
