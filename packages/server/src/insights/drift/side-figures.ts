import type { DecisionPointType } from "@whytrace/contract";
import { CHOICE_COUNTS, COUNTS } from "../days/count-columns.ts";
import { isInFilter, type RunFilter } from "../days/signature-figures.ts";
import { NO_STEP, type Sample, type Tally } from "../days/tally.ts";

/** How often an option was chosen: Σ over the sessions of runs that have ended, as `DriftCounts` wants them. */
export interface OptionChoices {
  chosen: number;
  squares: number;
  products: number;
  /** Of the chosen ones, those of which it is known what else could have been chosen. */
  offered: number;
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
  /** By step. */
  options: Map<number, OptionChoices>;
}

const NO_CHOICES = { chosen: 0, squares: 0, products: 0, offered: 0, open: 0 };

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
    const figures = found.get(key) ?? { agent, signature, type, options: new Map() };
    found.set(key, figures);
    const step = tally.stepOf(row);
    if (step === NO_STEP) continue;
    const option = figures.options.get(step) ?? { ...NO_CHOICES, sample };
    figures.options.set(step, option);
    option.chosen +=
      choices.get(row, COUNTS.fine) +
      choices.get(row, COUNTS.recovered) +
      choices.get(row, COUNTS.failedElsewhere) +
      choices.get(row, COUNTS.failedHere) +
      choices.get(row, COUNTS.unknown);
    option.squares += choices.get(row, CHOICE_COUNTS.endedSquares);
    option.products += choices.get(row, CHOICE_COUNTS.signatureProducts);
    option.offered += choices.get(row, CHOICE_COUNTS.offered);
    option.open += choices.get(row, COUNTS.open);
  }
  return found;
}
