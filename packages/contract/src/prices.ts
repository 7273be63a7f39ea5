export const MAX_USD_PER_MILLION_TOKENS = 1_000_000;

/** The `priceSource` of a span whose cost the client sent. */
export const SENT_PRICE = "sent";
const RULE_PREFIX = "rule:";

/** The `priceSource` of a span whose cost follows from a price rule. */
export const ruleSource = ({ model }: { model: string }) => `${RULE_PREFIX}${model}`;

/** The pattern of the rule that a `priceSource` names; undefined if it names none. */
export const rulePattern = (priceSource: string): string | undefined =>
  priceSource.startsWith(RULE_PREFIX) ? priceSource.slice(RULE_PREFIX.length) : undefined;
