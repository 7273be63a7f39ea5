import type { ObservedRun } from "../../../packages/server/src/insights/findings/runs/observed-run.ts";

/** The options of `staleCacheRuns`. */
export const STALE_CACHE_OPTIONS = { get: 0, order: 1, cache: 2, refund: 3 } as const;

/**
 * 60 runs choose get, order and refund, and one of them fails at refund by chance; 40 runs choose get, cache and refund, and 20
 * of them fail at refund. The one that fails by chance is the first.
 */
export function staleCacheRuns(): ObservedRun[] {
  const { get, order, cache, refund } = STALE_CACHE_OPTIONS;
  const run = (cluster: number, before: number, isFailed: boolean): ObservedRun => ({
    turns: [[get], [before], [refund]],
    errors: [null, null, isFailed ? 1 : null],
    reactions: [false, false, false],
    status: isFailed ? "ERROR" : "COMPLETED",
    messageKind: null,
    isScoredBad: false,
    cluster,
    situation: 0,
    release: 0,
    startedAtMs: 0,
    weight: 1,
  });
  return [
    ...Array.from({ length: 60 }, (_, index) => run(index, order, index === 0)),
    ...Array.from({ length: 40 }, (_, index) => run(60 + index, cache, index < 20)),
  ];
}
