import { cohensKappa } from "../../../packages/server/src/insights/statistics/agreement/cohens-kappa.ts";
import { drawBinomial } from "../../../packages/server/src/insights/statistics/agreement/draw-binomial.ts";
import { weightedAgreement } from "../../../packages/server/src/insights/statistics/agreement/weighted-agreement.ts";
import { seededRandom } from "../../../packages/server/src/insights/statistics/hypothesis-tests/seeded-random.ts";

/** Shares of what a judge calls bad, and of what people call bad among that and among the rest. */
const POPULATIONS = [
  [0.12, 0.67, 0.07],
  [0.2, 0.8, 0.1],
  [0.3, 0.85, 0.1],
  [0.5, 0.8, 0.2],
] as const;
const JUDGED = 1_000;

interface CoverageOptions {
  reviews: number;
  /** Which runs are reviewed: all of few, some at random, or half of them complaints. */
  how: "equal" | "random" | "complaints";
  /** Of each population. */
  trials: number;
}

/** In which share of simulated reviews the interval of κ contains the true one. Only for tests and trials. */
export function kappaCoverage({ reviews, how, trials }: CoverageOptions): number {
  const random = seededRandom(reviews);
  let hits = 0;
  for (const [badShare, badIfBad, badIfGood] of POPULATIONS) {
    const truth = cohensKappa([
      [badShare * badIfBad, badShare * (1 - badIfBad)],
      [(1 - badShare) * badIfGood, (1 - badShare) * (1 - badIfGood)],
    ]).kappa;
    for (let trial = 0; trial < trials; trial += 1) {
      const bad = drawBinomial(JUDGED, badShare, random);
      const drawn = drawBinomial(reviews, badShare, random);
      const reviewedBad = how === "complaints" ? Math.min(bad, reviews / 2) : drawn;
      const judged = how === "equal" ? [drawn, reviews - drawn] : [bad, JUDGED - bad];
      const found = drawBinomial(reviewedBad, badIfBad, random);
      const missed = drawBinomial(reviews - reviewedBad, badIfGood, random);
      const { low, high } = weightedAgreement({
        judged,
        reviewed: [
          [found, reviewedBad - found],
          [missed, reviews - reviewedBad - missed],
        ],
      }).kappa;
      if (low <= truth && truth <= high) hits += 1;
    }
  }
  return hits / (trials * POPULATIONS.length);
}
