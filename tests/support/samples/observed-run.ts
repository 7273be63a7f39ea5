import type { ObservedRun } from "../../../packages/server/src/insights/findings/runs/observed-run.ts";

/** A run whose turns chose these options, without errors. */
export const observedRun = (
  turns: ObservedRun["turns"],
  given: Partial<Omit<ObservedRun, "turns">> = {},
): ObservedRun => ({
  turns,
  errors: turns.map(() => null),
  reactions: turns.map(() => false),
  status: "COMPLETED",
  messageKind: null,
  isScoredBad: false,
  cluster: 0,
  situation: 0,
  release: 0,
  startedAtMs: 0,
  weight: 1,
  ...given,
});
