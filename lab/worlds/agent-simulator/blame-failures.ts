import { finishSteps } from "@whytrace/contract";
import type { Suspicion } from "@whytrace/contract/schemas/insights/blame";
import type { DecisionFacts } from "../../../packages/server/src/decision-facts/decision-facts.ts";
import { encodeDecisionFacts } from "../../../packages/server/src/decision-facts/encode-decision-facts.ts";
import { learnRuns } from "../../../packages/server/src/insights/blame/learn-runs.ts";
import { runTurns } from "../../../packages/server/src/insights/findings/runs/run-turns.ts";

/** A run whose truth is known. */
export interface JudgedRun {
  status: "COMPLETED" | "ERROR";
  facts: DecisionFacts;
  /** Of a failed run: the position of the decision that made it fail; null if it failed by itself. */
  culprit: number | null;
}

export interface BlamedFailure {
  /** Where the culprit is in each ranking, from 1 on: infinity if it is nowhere. Null if the run failed by itself. */
  rank: { blame: number; nearest: number } | null;
  /** The first suspect. */
  suspicion: Suspicion;
  /** Whether it is the option that the culprit chose. */
  isFirstGuilty: boolean;
  /** Decisions before the run went wrong. */
  decisions: number;
}

/**
 * Blames the last failed runs of an agent, whose runs are given in the order of time. The decisions before the failure, the nearest first,
 * are a simple ranking for comparison.
 */
export function blameFailures(runs: readonly JudgedRun[], limit: number): BlamedFailure[] {
  const recorded = runs.map(({ status, facts }, index) => ({
    id: `${index}`,
    status,
    facts: encodeDecisionFacts(facts),
    situation: "",
    startedAtMs: 0,
  }));
  const { counted, blamer, options } = finishSteps(learnRuns(recorded, "failed"));
  const failed = [...runs.entries()].filter(([, { status }]) => status === "ERROR").slice(-limit);
  return failed.flatMap(([index, { facts, culprit }]) => {
    const run = counted.runs[index];
    if (!run) return [];
    const turns = runTurns(facts).slice(0, run.lastAtRisk + 1);
    const { suspects } = finishSteps(blamer.blame(run));
    const positions = suspects.map(({ option, turns: [turn = -1] }) => {
      const step = options[option]?.step;
      return turns[turn]?.decisions.find((decision) => decision.step === step)?.position;
    });
    const nearest = turns.flatMap(({ decisions }) => decisions.map(({ position }) => position)).reverse();
    const guilty = facts.decisions.find(({ position }) => position === culprit)?.step;
    const rankIn = (ranking: readonly (number | undefined)[]) => {
      const place = culprit === null ? -1 : ranking.indexOf(culprit);
      return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
    };
    return {
      rank: culprit === null ? null : { blame: rankIn(positions), nearest: rankIn(nearest) },
      suspicion: suspects[0]?.word ?? "none",
      isFirstGuilty: guilty !== undefined && options[suspects[0]?.option ?? -1]?.step === guilty,
      decisions: nearest.length,
    };
  });
}
