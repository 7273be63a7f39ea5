import type { DecisionFact } from "../../decision-facts/decision-facts.ts";
import type { JudgedReason } from "../../outcomes/judged-reason.ts";
import type { Marks } from "../../outcomes/marks.ts";
import type { Lens } from "../findings/runs/lens.ts";
import type { RunTurn } from "../findings/runs/run-turns.ts";
import type { Onset } from "./blame-run.ts";

/** Kinds of conditions on what is known of every run; others are scores. */
const OBSERVED: ReadonlySet<string> = new Set(["tag", "metadata", "cost", "duration", "event", "decision"]);

/** Where a reason for which a run is bad may come from. */
export interface LocatedReason {
  reason: JudgedReason;
  /** Which runs are bad alike. */
  lens: Lens;
  /** The last turn that the reason follows; undefined if it follows none. */
  onset: Onset | undefined;
  /** The run's turns until then, with the decisions alone that the reason follows. */
  atRisk: readonly RunTurn[];
}

/** Finds the turns whose decisions a reason follows, by its marks. */
export function locateReason(turns: readonly RunTurn[], reason: JudgedReason, marks: Marks): LocatedReason {
  const onset = findMarkedOnset(turns, marks);
  const isFollowed = followedBy(marks);
  return {
    reason,
    lens: OBSERVED.has(reason.kind) ? "failed" : "scored",
    onset,
    atRisk: turns
      .slice(0, (onset?.turn ?? -1) + 1)
      .map((turn) => ({ ...turn, decisions: turn.decisions.filter(isFollowed) })),
  };
}

/** The turn that the first bad score is about; else the last one with a decision that is marked. */
export function findMarkedOnset(turns: readonly RunTurn[], marks: Marks): Onset | undefined {
  const { scoredAt } = marks;
  const isOnset =
    scoredAt === null ? followedBy(marks) : ({ position }: DecisionFact) => position === scoredAt;
  const turn = turns.findLastIndex(({ decisions }) => decisions.some(isOnset));
  return turn < 0 ? undefined : { turn, isCircle: false };
}

const followedBy =
  ({ isRun, marked, leftOut }: Marks) =>
  ({ position }: DecisionFact) =>
    !leftOut.has(position) && (isRun || marked.has(position));
