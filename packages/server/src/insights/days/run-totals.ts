import { GROUP_COUNTS } from "./count-columns.ts";
import { isInFilter, type RunFilter } from "./signature-figures.ts";
import type { Tally } from "./tally.ts";

export interface VoteTotals {
  ended: number;
  answered: number;
  asked: number;
}

interface RunTotals {
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

const groupsOf = (tally: Tally) => Array.from({ length: tally.groups.size }, (_, group) => group);

/** What the runs that are looked at amount to. */
export const runTotals = (tally: Tally, filter: RunFilter = {}): RunTotals =>
  sumGroups(
    tally,
    groupsOf(tally).filter((group) => isInFilter(tally, group, filter)),
  );

/** What the runs of each agent amount to, by its row. Looks at each group once: there may be thousands of agents. */
export function runTotalsByAgent(tally: Tally): Map<number, RunTotals> {
  const byAgent = Map.groupBy(groupsOf(tally), (group) => tally.agentOf(group));
  return new Map([...byAgent].map(([agent, groups]) => [agent, sumGroups(tally, groups)]));
}

function sumGroups(tally: Tally, groups: readonly number[]): RunTotals {
  const sum = (column: number) => groups.reduce((total, group) => total + tally.groups.get(group, column), 0);
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
