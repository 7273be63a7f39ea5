import type { DecisionMap, MapTimes } from "@whytrace/contract";

/** The share of failures among times whose outcome is known. */
export function knownShare({ times, failedTimes, unknownTimes }: MapTimes): number {
  return failedTimes / Math.max(1, times - unknownTimes);
}

/** The same of all runs of a map. */
export const failedShareOfMap = ({ runs, failedRuns, leftOut }: DecisionMap): number =>
  failedRuns / Math.max(1, runs - leftOut.runs);

/** Whether the outcome of more than half of the times is unknown. */
export const isMostlyUnknown = ({ times, unknownTimes }: MapTimes): boolean => 2 * unknownTimes > times;
