import type { DecisionPointType } from "@whytrace/contract";
import type { WhyStratum } from "../statistics/why-input.ts";
import { countOutcomes } from "./count-outcomes.ts";
import { KeyTable } from "./key-table.ts";
import { OutcomeSums } from "./outcome-sums.ts";
import { NO_STEP, type Sample, type Tally } from "./tally.ts";

/** One option of a signature: its figures, and the rows of `choices` that they come from. */
export interface OptionFigures {
  step: number;
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

/** The figures by signature, those with the most decisions first. */
export function signatureFigures(tally: Tally, filter: RunFilter = {}): SignatureFigures[] {
  const found = new Map<number, SignatureFigures & { byStep: Map<number, OptionFigures> }>();
  for (let row = 0; row < tally.choices.size; row += 1) {
    const [signature, type, sample] = [tally.signatures[row], tally.types[row], tally.samples[row]];
    if (signature === undefined || type === undefined || sample === undefined) continue;
    if (!isInFilter(tally, tally.groupOf(row), filter)) continue;
    let figures = found.get(signature);
    if (!figures) {
      const total = { step: NO_STEP, sums: new OutcomeSums(type), rows: [] };
      figures = { signature, type, sample, total, options: [], byStep: new Map() };
      found.set(signature, figures);
    }
    const step = tally.stepOf(row);
    let option = step === NO_STEP ? figures.total : figures.byStep.get(step);
    if (!option) {
      option = { step, sums: new OutcomeSums(type), rows: [] };
      figures.byStep.set(step, option);
      figures.options.push(option);
    }
    option.sums.add(tally.choices, row);
    option.rows.push(row);
  }
  const all = [...found.values()];
  const weight = ({ sums }: OptionFigures) => sums.decisions + sums.open;
  for (const { options } of all) options.sort((a, b) => weight(b) - weight(a) || a.step - b.step);
  return all.sort((a, b) => weight(b.total) - weight(a.total) || a.signature - b.signature);
}

/** The decisions of each signature by agent and step before: like with like. */
export function strataBySignature(
  tally: Tally,
  signatures: readonly SignatureFigures[],
  { agent }: RunFilter = {},
): Map<number, WhyStratum[]> {
  const figuresOf = new Map(
    signatures.flatMap((figures, index) =>
      figures.options.map(({ step }) => [step, { index, ...figures }] as const),
    ),
  );
  const bySignature = new Map<number, WhyStratum[]>();
  const strata: WhyStratum[] = [];
  const { transitions } = tally;
  const keys = new KeyTable(transitions.size);
  for (let row = 0; row < transitions.size; row += 1) {
    const [rowAgent, step] = [transitions.keys.key(row, 0), transitions.keys.key(row, 2)];
    const figures = figuresOf.get(step);
    if (!figures || (agent !== undefined && rowAgent !== agent)) continue;
    const at = keys.add(figures.index, rowAgent, transitions.keys.key(row, 1));
    const stratum = strata[at] ?? { options: [] };
    const { decisions, failed } = countOutcomes(figures.type, (column) => transitions.get(row, column));
    stratum.options.push({ step, decisions, failed });
    if (at < strata.length) continue;
    strata.push(stratum);
    const list = bySignature.get(figures.signature);
    if (list) list.push(stratum);
    else bySignature.set(figures.signature, [stratum]);
  }
  return bySignature;
}
