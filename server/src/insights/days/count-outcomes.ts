import { type DecisionPointType, isFailedOutcome } from "@whytrace/contract";
import type { RateCounts } from "../statistics/rate-counts.ts";
import { COUNTS } from "./count-columns.ts";
import type { CountTable } from "./count-table.ts";

/** How many decisions of a row have ended, and how many of them failed. The columns of the table begin with COUNTS. */
export function countOutcomes(type: DecisionPointType, table: CountTable, row: number): RateCounts {
  const elsewhere = table.get(row, COUNTS.failedElsewhere);
  const here = table.get(row, COUNTS.failedHere);
  return {
    decisions: table.get(row, COUNTS.fine) + table.get(row, COUNTS.recovered) + elsewhere + here,
    failed: here + (isFailedOutcome(type, 2) ? elsewhere : 0),
  };
}
