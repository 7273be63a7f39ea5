import type { DecisionPointType } from "@whytrace/contract";
import { isFailedOutcome } from "../../decision-facts/failed-outcome.ts";
import type { RateCounts } from "../statistics/rate-counts.ts";
import { COUNTS } from "./count-columns.ts";

/** How many decisions have ended, and how many of them failed, by the sums of the columns in COUNTS. */
export function countOutcomes(type: DecisionPointType, sumOf: (column: number) => number): RateCounts {
  const elsewhere = sumOf(COUNTS.failedElsewhere);
  const here = sumOf(COUNTS.failedHere);
  return {
    decisions: sumOf(COUNTS.fine) + sumOf(COUNTS.recovered) + elsewhere + here,
    failed: here + (isFailedOutcome(type, 2) ? elsewhere : 0),
  };
}
