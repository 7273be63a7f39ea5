import type { DriftCounts } from "../statistics/drift-counts.ts";
import type { SessionSums } from "../statistics/session-sums.ts";
import type { ComparedRun } from "./compared-run.ts";

/** How many runs are true and false, added up by session: for the test of a difference, and for the interval of the share. */
export interface SessionCounts {
  /** The option "true", then "false". */
  counts: DriftCounts;
  /** Of the runs that are true, as failed decisions. */
  sums: SessionSums;
}

/** Runs of which it is not known are left out. */
export function countBySession(
  runs: readonly ComparedRun[],
  isTrue: (run: ComparedRun) => boolean | null,
): SessionCounts {
  const sessions = new Map<string, { size: number; hits: number }>();
  for (const run of runs) {
    const value = isTrue(run);
    if (value === null) continue;
    const session = sessions.get(run.session) ?? { size: 0, hits: 0 };
    sessions.set(run.session, session);
    session.size += 1;
    if (value) session.hits += 1;
  }
  const [hit, miss] = [
    { chosen: 0, squares: 0, products: 0 },
    { chosen: 0, squares: 0, products: 0 },
  ];
  const sums = {
    sessions: sessions.size,
    decisions: 0,
    failed: 0,
    decisionSquares: 0,
    products: 0,
    failedSquares: 0,
    failedShares: 0,
  };
  for (const { size, hits } of sessions.values()) {
    const misses = size - hits;
    hit.chosen += hits;
    hit.squares += hits ** 2;
    hit.products += hits * size;
    miss.chosen += misses;
    miss.squares += misses ** 2;
    miss.products += misses * size;
    sums.decisions += size;
    sums.failed += hits;
    sums.decisionSquares += size ** 2;
    sums.products += hits * size;
    sums.failedSquares += hits ** 2;
    sums.failedShares += hits ** 2 / size;
  }
  return { counts: { options: [hit, miss] }, sums };
}
