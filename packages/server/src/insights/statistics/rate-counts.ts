/** Decisions, and how many of them failed. Fractions are allowed: counts that were divided by a design effect. */
export interface RateCounts {
  decisions: number;
  failed: number;
}
