import { rulePattern, SENT_PRICE } from "@whytrace/contract";

/** Where a cost comes from, as `priceSource` says it. */
export function priceLabel(priceSource: string | null): string {
  if (priceSource === null) return "no price";
  if (priceSource === SENT_PRICE) return "sent by the client";
  const pattern = rulePattern(priceSource);
  return pattern === undefined ? `public price of ${priceSource}` : `your price for ${pattern}`;
}
