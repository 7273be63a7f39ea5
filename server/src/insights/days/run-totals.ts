import { GROUP_COUNTS } from "./count-columns.ts";
import { isInFilter, type RunFilter } from "./signature-figures.ts";
import type { Tally } from "./tally.ts";

export interface VoteTotals {
  ended: number;
  answered: number;
  asked: number;
}

export interface RunTotals {
  /** Traces that decided something, including running ones. */
  runs: number;
  failedRuns: number;
  /** Runs that are still running. */
  openRuns: number;
  /** Runs that are unknown, and not counted. */
  unknownRuns: number;
  /** Of runs that have ended: those with a score that their definition looks for, and those whose users were asked. */
  votes: VoteTotals;
  decisions: number;
  /** Null if the cost of none is known. */
  costUsd: number | null;
}

/** What the runs that are looked at amount to. */
export function runTotals(tally: Tally, filter: RunFilter = {}): RunTotals {
  const sum = (column: number) => {
    let total = 0;
    for (let group = 0; group < tally.groups.size; group += 1)
      if (isInFilter(tally, group, filter)) total += tally.groups.get(group, column);
    return total;
  };
  const costUsd = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, sum(GROUP_COUNTS.costUsd)));
  return {
    runs: sum(GROUP_COUNTS.runs),
    failedRuns: sum(GROUP_COUNTS.errorRuns),
    openRuns: sum(GROUP_COUNTS.openRuns),
    unknownRuns: sum(GROUP_COUNTS.unknownRuns),
    votes: {
      ended: sum(GROUP_COUNTS.runs) - sum(GROUP_COUNTS.openRuns),
      answered: sum(GROUP_COUNTS.answeredRuns),
      asked: sum(GROUP_COUNTS.askedRuns),
    },
    decisions: sum(GROUP_COUNTS.decisions),
    costUsd: sum(GROUP_COUNTS.costs) === 0 ? null : costUsd,
  };
}
