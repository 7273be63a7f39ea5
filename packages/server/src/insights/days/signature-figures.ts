import type { DecisionPointType } from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { OutcomeSums } from "./outcome-sums.ts";
import { NO_STEP, ROWS_PER_STEP, type Sample, type Tally } from "./tally.ts";

/** One option of a signature: its figures, and the rows of `choices` that they come from. */
export interface OptionFigures {
  step: number;
  /** One of its newest decisions. */
  sample: Sample;
  sums: OutcomeSums;
  rows: number[];
}

/** What was counted of the decisions of one signature. */
export interface SignatureFigures {
  signature: number;
  type: DecisionPointType;
  /** One of its newest decisions. */
  sample: Sample;
  total: OptionFigures;
  /** The most frequent one first. */
  options: OptionFigures[];
}

/** Which runs are looked at. */
export interface RunFilter {
  /** The row of an agent in the tally. */
  agent?: number | undefined;
  /** The hash of a release. */
  release?: number | undefined;
}

/** Whether the runs of a group are looked at. */
export function isInFilter(tally: Tally, group: number, { agent, release }: RunFilter): boolean {
  return (
    (agent === undefined || tally.agentOf(group) === agent) &&
    (release === undefined || tally.releaseOf(group) === release)
  );
}

/** The figures by signature, those with the most decisions first. A range may have 40,000 rows. */
export const signatureFigures = (tally: Tally, filter: RunFilter = {}): Promise<SignatureFigures[]> =>
  runInTimeSlices(findFigures(tally, filter));

function* findFigures(tally: Tally, filter: RunFilter): Generator<undefined, SignatureFigures[]> {
  const found = new Map<number, SignatureFigures & { byStep: Map<number, OptionFigures> }>();
  for (let row = 0; row < tally.choices.size; row += 1) {
    if (row % ROWS_PER_STEP === 0) yield;
    const [signature, type, sample] = [tally.signatures[row], tally.types[row], tally.samples[row]];
    if (signature === undefined || type === undefined || sample === undefined) continue;
    if (!isInFilter(tally, tally.groupOf(row), filter)) continue;
    let figures = found.get(signature);
    if (!figures) {
      const total = { step: NO_STEP, sample, sums: new OutcomeSums(type), rows: [] };
      figures = { signature, type, sample, total, options: [], byStep: new Map() };
      found.set(signature, figures);
    }
    const step = tally.stepOf(row);
    let option = step === NO_STEP ? figures.total : figures.byStep.get(step);
    if (!option) {
      option = { step, sample, sums: new OutcomeSums(type), rows: [] };
      figures.byStep.set(step, option);
      figures.options.push(option);
    }
    option.sums.add(tally.choices, row);
    option.rows.push(row);
  }
  yield;
  const all = [...found.values()];
  const weight = ({ sums }: OptionFigures) => sums.decisions + sums.open + sums.unknown;
  for (const { options } of all) options.sort((a, b) => weight(b) - weight(a) || a.step - b.step);
  return all.sort((a, b) => weight(b.total) - weight(a.total) || a.signature - b.signature);
}
