import { Z_95 } from "../../insights/statistics/hypothesis-tests/normal-tail.ts";

/** The ranks, from 1, of the values of a sorted list between which a quantile lies with 95 %, and of the quantile itself. */
export function quantileRanks(count: number, quantile: number): { low: number; value: number; high: number } {
  const reach = Z_95 * Math.sqrt(count * quantile * (1 - quantile));
  const clamp = (rank: number) => Math.min(count, Math.max(1, rank));
  return {
    low: clamp(Math.floor(count * quantile - reach)),
    value: clamp(Math.ceil(count * quantile)),
    high: clamp(Math.ceil(count * quantile + reach) + 1),
  };
}
