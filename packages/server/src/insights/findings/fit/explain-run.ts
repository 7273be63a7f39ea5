import type { ClaimKind } from "../list/option-test.ts";
import { Pauses } from "../pauses.ts";
import type { CountedRun } from "../runs/counted-run.ts";
import { causesOf } from "./causes-of.ts";
import type { Fit } from "./fit-causes.ts";

/** How much of a run's going wrong an option explains, at a turn if it was chosen. */
interface Explanation {
  kind: ClaimKind;
  option: number;
  turn: number | undefined;
  share: number;
}

interface ExplainedRun {
  explanations: readonly Explanation[];
  /** The share that only chance explains. */
  chance: number;
}

/**
 * A bad run, divided between its causes and chance as if it had not been seen yet: its own shares are taken out of the sums.
 * `counted` is the run as it was fitted.
 */
export function* explainRun(
  run: CountedRun,
  fit: Fit,
  strikes: Float64Array,
  counted = run,
): Generator<undefined, ExplainedRun> {
  const { model, sums, exposures, doubt } = fit;
  const pauses = new Pauses();
  const hit = fit.hits.get(counted);
  const ownShares = new Map(
    hit && [...hit.cells].map((cell, i) => [cell, run.weight * (hit.shares[i] ?? 0)]),
  );
  const rateOf = (cell: number) => {
    const exposed = exposures[cell] ?? 0;
    return exposed === 0 ? 0 : Math.max(0, (sums[cell] ?? 0) - (ownShares.get(cell) ?? 0) - doubt) / exposed;
  };
  const chance = fit.baseRate * (fit.ambient.get(run.background) ?? 1);
  let all = chance;
  /** By option; an option that was left out was not chosen. */
  const byOption = new Map<number, Map<number | undefined, Explanation>>();
  for (const { cell, option, turn } of yield* causesOf(run, model, pauses)) {
    const rate = rateOf(cell);
    all += rate;
    const byTurn = byOption.get(option) ?? new Map<number | undefined, Explanation>();
    byOption.set(option, byTurn);
    const known = byTurn.get(turn);
    if (known) known.share += rate;
    else byTurn.set(turn, { kind: model.cells.kindOf(cell), option, turn, share: rate });
    if (pauses.isDue()) yield;
  }
  const explanations: Explanation[] = [];
  for (const byTurn of byOption.values()) {
    discountLater([...byTurn.values()], strikes);
    for (const explanation of byTurn.values()) {
      explanation.share /= all;
      explanations.push(explanation);
    }
    if (pauses.isDue(byTurn.size)) yield;
  }
  return { explanations, chance: chance / all };
}

/**
 * If an option was chosen several times, which are in the order of turns, a later choice can only have done it if the earlier ones
 * had not. The sum stays.
 */
function discountLater(same: readonly Explanation[], strikes: Float64Array) {
  const sum = same.reduce((all, { share }) => all + share, 0);
  if (same.length === 1 || sum === 0) return;
  let left = 1;
  let total = 0;
  for (const explanation of same) {
    const isSuspect = explanation.share > 0;
    explanation.share *= left;
    total += explanation.share;
    if (isSuspect) left *= 1 - (strikes[explanation.option] ?? 0);
  }
  for (const explanation of same) explanation.share *= sum / total;
}
