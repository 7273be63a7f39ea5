/** How clearly the faults of a simulated agent show. Shares and probabilities are between 0 and 1. */
export interface Regime {
  /** Shares of faults whose error comes in the next step, some steps later, or in a parallel branch. */
  atOnce: number;
  later: number;
  inOtherBranch: number;
  maxDelaySteps: number;
  /** How often a step fails without any decision being the reason; three times as often for hard requests. */
  noise: number;
  /** How often a faulty option leads to an error: each fault has a probability of its own in this range. */
  minProbability: number;
  maxProbability: number;
}

const PLAIN: Regime = {
  atOnce: 0.5,
  later: 0.35,
  inOtherBranch: 0.15,
  maxDelaySteps: 5,
  noise: 0.008,
  minProbability: 0.25,
  maxProbability: 0.9,
};

export const REGIMES = {
  plain: PLAIN,
  rare: { ...PLAIN, minProbability: 0.08, maxProbability: 0.3 },
  far: { ...PLAIN, atOnce: 0.15, later: 0.6, inOtherBranch: 0.25, maxDelaySteps: 6 },
  noisy: { ...PLAIN, noise: 0.024 },
} as const satisfies Record<string, Regime>;

export type RegimeName = keyof typeof REGIMES;
