/** Prices that a user set for a model, in US dollars per million tokens. */
export interface PriceRule {
  id: string;
  /** The name of a model, or the beginning of names followed by an asterisk; in lower case. */
  model: string;
  inputUsd: number;
  outputUsd: number;
  /** Null means the price of input. */
  cacheReadUsd: number | null;
  cacheWriteUsd: number | null;
  /** Null means always. */
  validFrom: string | null;
}

export const MAX_PRICE_RULES_PER_USER = 200;
export const MAX_USD_PER_MILLION_TOKENS = 1_000_000;

/** The `priceSource` of a span whose cost the client sent. */
export const SENT_PRICE = "sent";
const RULE_PREFIX = "rule:";

/** The `priceSource` of a span whose cost follows from a price rule. */
export const ruleSource = ({ model }: Pick<PriceRule, "model">) => `${RULE_PREFIX}${model}`;

/** The pattern of the rule that a `priceSource` names; undefined if it names none. */
export const rulePattern = (priceSource: string): string | undefined =>
  priceSource.startsWith(RULE_PREFIX) ? priceSource.slice(RULE_PREFIX.length) : undefined;
