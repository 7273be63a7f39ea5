import type { RateCounts } from "./rate-counts.ts";

/** Counts that tell as much as they would if each decision were a run of its own. */
export const divideCounts = ({ decisions, failed }: RateCounts, designEffect: number): RateCounts => ({
  decisions: decisions / designEffect,
  failed: failed / designEffect,
});
