import type { MapEdge, MapNode } from "@whytrace/contract";
import type { FoldedEdge } from "./fold-rare.ts";
import { knownShare } from "./known-share.ts";
import { wilsonInterval } from "./wilson-interval.ts";

/**
 * The share of times that were in a failed run, of those whose outcome is known, with its interval. Times of one run end alike, so only the runs make the
 * interval narrower. Of times that lead over folded choices the runs are not known.
 */
export function failedShare(counts: MapNode | MapEdge | FoldedEdge) {
  const { times, unknownTimes, runs } = counts;
  const value = knownShare(counts);
  const independent = Math.min(
    times - unknownTimes,
    runs + ("foldedTimes" in counts ? counts.foldedTimes : 0),
  );
  return { value, ...wilsonInterval(value * independent, independent) };
}
