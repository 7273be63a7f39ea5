/** So many decisions, of which so many failed. Fractions are allowed: counts that were divided by a design effect. */
export interface RateCounts {
  decisions: number;
  failed: number;
}
