import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { RunSuspect } from "../findings/blamer.ts";
import { findPartner, type Partner } from "../findings/find-partner.ts";
import type { CountedRun } from "../findings/runs/counted-run.ts";
import type { LearntRuns } from "./learn-runs.ts";
import type { LearnQuery, RunLearner } from "./run-learner.ts";

/** Where a run went wrong. */
export interface Onset {
  turn: number;
  isCircle: boolean;
}

export interface BlamedRun {
  learnt: LearntRuns;
  /** The likeliest first. */
  suspects: readonly RunSuspect[];
  /** A run that went well, and the turn at which it chose otherwise than the first suspect. */
  partner: { traceId: string; turn: number } | null;
  comparedRuns: number;
  badRuns: number;
}

/** Finds what a run's going wrong is explained by. Undefined if nothing is known of its decisions yet. */
export async function blameRun(
  learner: RunLearner,
  workspaceId: WorkspaceId,
  query: LearnQuery,
  onset: Onset,
): Promise<BlamedRun | undefined> {
  const learnt = await learner.learn(workspaceId, query);
  return runInTimeSlices(blameLearnt(learnt, query.run.id, onset));
}

function* blameLearnt(
  learnt: LearntRuns,
  traceId: string,
  onset: Onset,
): Generator<undefined, BlamedRun | undefined> {
  const { counted, good, answered, blamer, traceIds } = learnt;
  const known = counted.runs[traceIds.indexOf(traceId)];
  if (!known) return undefined;
  const run = withOnset(known, onset);
  const { suspects } = yield* blamer.blame(run, known);
  const first = suspects.find(({ kind }) => kind === "chose");
  const [turn] = first?.turns ?? [];
  const partners = good.filter((one) => one !== known);
  const judged = partners.filter((one) => answered.has(one));
  let found: Partner | undefined;
  // That a run was good is sure only if somebody said so.
  for (const runs of [judged, partners])
    if (first && turn !== undefined)
      found ??= yield* findPartner({ ...counted, runs }, run, turn, first.option);
  const partnerId = found && traceIds[counted.runs.indexOf(found.run)];
  return {
    learnt,
    suspects,
    partner: found && partnerId !== undefined ? { traceId: partnerId, turn: found.turn } : null,
    comparedRuns: counted.runs.reduce((sum, { weight }) => sum + weight, 0),
    badRuns: counted.runs.reduce((sum, { isBad, weight }) => sum + (isBad ? weight : 0), 0),
  };
}

/** The kind of an error elsewhere than where the run was counted to go wrong. No other run has it. */
const OTHER_KIND = -1;

/** A run is counted with the error that it failed with, or with its first one. Another one can be asked for. */
function withOnset(run: CountedRun, { turn, isCircle }: Onset): CountedRun {
  if (run.isBad && run.lastAtRisk === turn) return run;
  const lastAtRisk = Math.min(turn, run.turns.length - 1);
  return { ...run, isBad: true, isLocated: true, isCircle, lastAtRisk, kind: OTHER_KIND };
}
