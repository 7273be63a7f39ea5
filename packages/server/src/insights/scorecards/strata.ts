import { hash32ToHex, type Stratum } from "@whytrace/contract";
import { OutcomeSums } from "../days/outcome-sums.ts";
import type { RunFilter, SignatureFigures } from "../days/signature-figures.ts";
import type { Tally } from "../days/tally.ts";

const MAX_STRATA = 12;

/** What tells strata apart: a step before, a release or an agent, by number. */
interface NumberedStratum {
  key: number;
  stratum: Omit<Stratum, "name">;
}

/** The options of a signature by the decision before, from the transitions of the agents that are looked at. */
export function strataByStepBefore(
  tally: Tally,
  figures: SignatureFigures,
  { agent }: RunFilter,
): NumberedStratum[] {
  const steps = new Set(figures.options.map(({ step }) => step));
  const { transitions } = tally;
  const sums = new StratumSums(figures);
  for (let row = 0; row < transitions.size; row += 1) {
    const step = transitions.keys.key(row, 2);
    if (!steps.has(step) || (agent !== undefined && transitions.keys.key(row, 0) !== agent)) continue;
    sums.of(transitions.keys.key(row, 1), step).add(transitions, row);
  }
  return sums.list().map(({ key, stratum }) => ({ key, stratum: { ...stratum, before: hash32ToHex(key) } }));
}

/** The options of a signature by what a group of runs has in common: its release or its agent. */
export function strataByGroup(
  tally: Tally,
  figures: SignatureFigures,
  keyOf: (group: number) => number,
): NumberedStratum[] {
  const sums = new StratumSums(figures);
  for (const { step, rows } of figures.options)
    for (const row of rows) sums.of(keyOf(tally.groupOf(row)), step).add(tally.choices, row);
  return sums.list();
}

class StratumSums {
  readonly #figures: SignatureFigures;
  readonly #strata = new Map<number, Map<number, OutcomeSums>>();

  constructor(figures: SignatureFigures) {
    this.#figures = figures;
  }

  of(key: number, step: number): OutcomeSums {
    const stratum = this.#strata.get(key) ?? new Map<number, OutcomeSums>();
    this.#strata.set(key, stratum);
    const sums = stratum.get(step) ?? new OutcomeSums(this.#figures.type);
    stratum.set(step, sums);
    return sums;
  }

  /** Those with the most decisions first. */
  list(): NumberedStratum[] {
    const strata = [...this.#strata].map(([key, bySteps]) => {
      const options = this.#figures.options.flatMap(({ step }) => {
        const sums = bySteps.get(step);
        return sums && sums.decisions > 0 ? [{ step: hash32ToHex(step), rate: sums.rate }] : [];
      });
      const decisions = options.reduce((sum, { rate }) => sum + rate.decisions, 0);
      const failed = options.reduce((sum, { rate }) => sum + rate.failed, 0);
      return { key, stratum: { decisions, failed, options } };
    });
    return strata
      .filter(({ stratum }) => stratum.decisions > 0)
      .sort((a, b) => b.stratum.decisions - a.stratum.decisions || a.key - b.key)
      .slice(0, MAX_STRATA);
  }
}
