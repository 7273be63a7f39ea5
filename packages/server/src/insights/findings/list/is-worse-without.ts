import { Pauses } from "../pauses.ts";
import type { CountedRun } from "../runs/counted-run.ts";

const MIN_Z = 3;
const MIN_RATIO = 1.5;

/**
 * Whether runs that left an option out are bad more often in the end, of those that went on as long as it usually takes to choose
 * it. An option that only finds a fault, such as a check, prevents later errors in its runs, and not that they fail.
 */
export function* isWorseWithout(runs: readonly CountedRun[], option: number): Generator<undefined, boolean> {
  const pauses = new Pauses();
  const firstTurns: number[] = [];
  for (const { turns } of runs) {
    firstTurns.push(turns.findIndex((turn) => turn.includes(option)));
    if (pauses.isDue(turns.length)) yield;
  }
  const usualTurn = medianOf(firstTurns.filter((first, index) => first >= 0 && !runs[index]?.isBad));
  const chose = { runs: 0, bad: 0, squares: 0 };
  const leftOut = { runs: 0, bad: 0, squares: 0 };
  for (const [index, { isBad, lastAtRisk, weight }] of runs.entries()) {
    const first = firstTurns[index] ?? -1;
    const isChosen = first >= 0 && first <= lastAtRisk;
    if (!isChosen && lastAtRisk < usualTurn) continue;
    const side = isChosen ? chose : leftOut;
    side.runs += weight;
    side.squares += weight * weight;
    if (isBad) side.bad += weight;
  }
  if (chose.runs === 0 || leftOut.runs === 0) return false;
  const [rate, otherRate] = [leftOut.bad / leftOut.runs, chose.bad / chose.runs];
  const all = (leftOut.bad + chose.bad) / (leftOut.runs + chose.runs);
  const error = Math.sqrt(all * (1 - all) * (1 / effective(leftOut) + 1 / effective(chose)));
  return rate - otherRate > MIN_Z * error && rate > MIN_RATIO * otherRate;
}

/** How many runs of equal weight would say as much (Kish). */
const effective = ({ runs, squares }: { runs: number; squares: number }) => (runs * runs) / squares;

const medianOf = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
