import { COUNTS } from "../days/count-columns.ts";
import { NO_STEP, type Tally } from "../days/tally.ts";
import { type BlameCounts, combineCounts, NO_COUNTS } from "./blame-counts.ts";
import type { ChoiceCounts } from "./rank-suspects.ts";

/** Counts the choices of one agent for one error. */
export function tallyCounts(tally: Tally, agentRow: number, fingerprint: number): BlameCounts {
  const { choices, errors } = tally;
  const bySteps = new Map<number, ChoiceCounts>();
  const bySignature = new Map<number, ChoiceCounts>();
  let agent = NO_COUNTS;
  for (let row = 0; row < choices.size; row += 1) {
    const step = tally.stepOf(row);
    const signature = tally.signatures[row];
    if (step === NO_STEP || signature === undefined || tally.agentOf(tally.groupOf(row)) !== agentRow)
      continue;
    const bad =
      choices.get(row, COUNTS.recovered) +
      choices.get(row, COUNTS.failedElsewhere) +
      choices.get(row, COUNTS.failedHere);
    const errorRow = errors.keys.find(agentRow, step, fingerprint);
    // Errors are not told apart by release: they are counted with the first row of a step.
    const isFirst = !bySteps.has(step);
    const counts: ChoiceCounts = {
      decisions: choices.get(row, COUNTS.fine) + bad,
      bad,
      runs: choices.get(row, COUNTS.runs),
      sameErrorRuns: isFirst && errorRow >= 0 ? errors.get(errorRow, 0) : 0,
    };
    bySteps.set(step, combineCounts(bySteps.get(step) ?? NO_COUNTS, counts, 1));
    bySignature.set(signature, combineCounts(bySignature.get(signature) ?? NO_COUNTS, counts, 1));
    agent = combineCounts(agent, counts, 1);
  }
  return {
    agent,
    ofStep: (step) => bySteps.get(step) ?? NO_COUNTS,
    ofSignature: (signature) => bySignature.get(signature) ?? NO_COUNTS,
  };
}
