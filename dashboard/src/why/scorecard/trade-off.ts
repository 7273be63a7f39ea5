import type { ScorecardOption } from "@whytrace/contract";

const MIN_FACTOR = 1.5;

/** What the better option costs instead, in a sentence: more time, more money, both, or nothing to speak of. */
export function tradeOff(worst: ScorecardOption, best: ScorecardOption): string {
  const slower = factor(best.durationMs?.p50, worst.durationMs?.p50);
  const dearer = factor(best.costUsd?.p50, worst.costUsd?.p50);
  const parts = [
    ...(slower >= MIN_FACTOR ? [`took ${times(slower)} as long`] : []),
    ...(dearer >= MIN_FACTOR ? [`cost ${times(dearer)} as much`] : []),
  ];
  return parts.length === 0 ? "" : `${best.name} ${parts.join(" and ")}.`;
}

const factor = (one: number | undefined, other: number | undefined) =>
  one === undefined || !other ? 1 : one / other;

const times = (value: number) => `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} times`;
