import type { CountedRun } from "../runs/counted-run.ts";

/** Draws the ratio towards 1 where little is known. */
const PRIOR = 2;

/** By background: how many times as often as usual runs go wrong per turn at risk, whatever is chosen. */
export function ambientRates(
  runs: readonly CountedRun[],
  isHit: (run: CountedRun) => boolean,
  isLocated: boolean,
  badWeight: number,
): Map<number, number> {
  const sums = new Map<number, { bad: number; risk: number }>();
  const all = { bad: 0, risk: 0 };
  for (const run of runs) {
    const own = sums.get(run.background) ?? { bad: 0, risk: 0 };
    sums.set(run.background, own);
    for (const sum of [own, all]) {
      sum.risk += run.weight * (isLocated ? run.lastAtRisk + 1 : 1);
      if (isHit(run)) sum.bad += run.weight;
    }
  }
  const overall = all.bad / Math.max(1, all.risk);
  const ratio = ({ bad, risk }: typeof all) =>
    (bad + PRIOR * badWeight) / (risk * overall + PRIOR * badWeight);
  return new Map([...sums].map(([background, sum]) => [background, overall === 0 ? 1 : ratio(sum)]));
}
