import type { DecisionPointType } from "@whytrace/contract";
import { CHOICE_COUNTS, COUNTS } from "../days/count-columns.ts";
import { isInFilter, type RunFilter } from "../days/signature-figures.ts";
import { NO_STEP, type Sample, type Tally } from "../days/tally.ts";

/** How often an option was chosen: Σ over the runs that have ended, as `DriftCounts` wants them. */
export interface OptionChoices {
  chosen: number;
  squares: number;
  products: number;
  /** Choices of running traces. */
  open: number;
  sample: Sample;
}

/** The choices of one agent and signature on one side. */
export interface SideFigures {
  /** The hash of the agent's name. */
  agent: number;
  signature: number;
  type: DecisionPointType;
  runs: number;
  /** By step. */
  options: Map<number, OptionChoices>;
}

export const figuresKey = (agent: number, signature: number) => `${agent} ${signature}`;

/** The choices of the runs that are looked at, by agent and signature (`figuresKey`). */
export function sideFigures(tally: Tally, filter: RunFilter): Map<string, SideFigures> {
  const found = new Map<string, SideFigures>();
  const { choices } = tally;
  for (let row = 0; row < choices.size; row += 1) {
    const [signature, type, sample] = [tally.signatures[row], tally.types[row], tally.samples[row]];
    const group = tally.groupOf(row);
    if (signature === undefined || type === undefined || sample === undefined) continue;
    if (!isInFilter(tally, group, filter)) continue;
    const agent = tally.agentHash(tally.agentOf(group));
    const key = figuresKey(agent, signature);
    const figures = found.get(key) ?? { agent, signature, type, runs: 0, options: new Map() };
    found.set(key, figures);
    const step = tally.stepOf(row);
    if (step === NO_STEP) {
      figures.runs += choices.get(row, COUNTS.runs);
      continue;
    }
    const option = figures.options.get(step) ?? { chosen: 0, squares: 0, products: 0, open: 0, sample };
    figures.options.set(step, option);
    option.chosen +=
      choices.get(row, COUNTS.fine) +
      choices.get(row, COUNTS.recovered) +
      choices.get(row, COUNTS.failedElsewhere) +
      choices.get(row, COUNTS.failedHere);
    option.squares += choices.get(row, COUNTS.decisionSquares);
    option.products += choices.get(row, CHOICE_COUNTS.signatureProducts);
    option.open += choices.get(row, COUNTS.open);
  }
  return found;
}
