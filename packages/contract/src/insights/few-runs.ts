import { shortCount } from "./short-numbers.ts";

/** With fewer runs that went wrong, or fewer others, no decision can be told from chance. */
const MIN_RUNS_OF_EACH = 20;

/** What is said of a run, and of an issue, only if enough runs were compared, or if nothing was decided. */
export const NO_DECISION = "No decision explains this.";

interface ComparedRuns {
  comparedRuns: number;
  badRuns: number;
}

export const isTooFewRuns = ({ comparedRuns, badRuns }: ComparedRuns): boolean =>
  badRuns < MIN_RUNS_OF_EACH || comparedRuns - badRuns < MIN_RUNS_OF_EACH;

export const tooFewRunsSentence = ({ comparedRuns, badRuns }: ComparedRuns): string =>
  `Too few runs yet: ${shortCount(badRuns)} that went wrong and ${shortCount(comparedRuns - badRuns)} others were compared, ` +
  `and ${MIN_RUNS_OF_EACH} of each are needed.`;
