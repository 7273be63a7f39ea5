import { shortPercent } from "./short-numbers.ts";

/** What is said of a decision instead of its reasoning if its option was drawn. */
export const drawnWords = (probability: number): string =>
  `Drawn at random, with a probability of ${shortPercent(probability)}: an experiment.`;
