import type { Status } from "@whytrace/contract";
import type { TraceError, TraceErrors } from "../../decision-facts/trace-errors.ts";
import { findEnding } from "../findings/runs/find-ending.ts";
import { endedRun, type RunTurn } from "../findings/runs/run-turns.ts";
import type { Onset } from "./blame-run.ts";

/** How a run went wrong, and where. */
export interface LocatedError {
  kind: "failed" | "abandoned" | "error" | "scored";
  /** Undefined if nothing was decided before it. */
  onset: Onset | undefined;
  /** Undefined if the run was abandoned, or is bad for another reason than an error. */
  error: TraceError<number> | undefined;
}

interface EndedTrace {
  status: Status;
  /** Whether the run goes on, as far as is known. */
  isOpen: boolean;
  messageKind: number;
  turns: readonly RunTurn[];
}

/** Where a run failed or was abandoned, else where its first error came. Undefined if no turn says so. */
export function findOnset({ isOpen, ...run }: EndedTrace): Pick<LocatedError, "kind" | "onset"> | undefined {
  const kind =
    isOpen || run.status === "COMPLETED" ? "error" : run.status === "ERROR" ? "failed" : "abandoned";
  if (run.turns.length === 0) return kind === "error" ? undefined : { kind, onset: undefined };
  const ending = findEnding(endedRun(run.turns, run), kind === "error" ? "error" : "failed");
  return ending && { kind, onset: { turn: ending.onset, isCircle: ending.isCircle } };
}

/**
 * Finds the error that is to be explained: `asked`, else the one with which the run went wrong. `timeOf` says when a turn began.
 * Undefined if there is none.
 */
export function locateError(
  run: EndedTrace,
  errors: TraceErrors<number>,
  timeOf: (turn: RunTurn) => number,
  asked?: TraceError<number>,
): LocatedError | undefined {
  const { turns } = run;
  const found = findOnset(run);
  const last = errors.ofTrace();
  if (asked) {
    const turn = turnBefore(turns, timeOf, asked.at);
    const isEnd = turn !== undefined && turn >= (found?.onset?.turn ?? turns.length);
    if (found?.kind === "failed" && (isEnd || isSameError(asked, last))) return locateEnd(found.onset, asked);
    return { kind: "error", onset: turn === undefined ? undefined : { turn, isCircle: false }, error: asked };
  }
  if (found?.kind === "abandoned") return { ...found, error: undefined };
  const onsetTurn = turns[found?.onset?.turn ?? -1];
  const first = onsetTurn && onsetTurn.errorKind !== null ? errors.firstSince(timeOf(onsetTurn)) : undefined;
  if (found?.kind === "failed") {
    const hasTurnErrors = turns.some(({ errorKind }) => errorKind !== null);
    // If the run got over its errors, it failed by itself.
    const own = hasTurnErrors && onsetTurn?.errorKind === null ? errors.ofRun() : last;
    return locateEnd(found.onset, first ?? own);
  }
  const error = first ?? last;
  if (!error) return undefined;
  const turn = found?.onset?.turn ?? turnBefore(turns, timeOf, error.at);
  return { kind: "error", onset: turn === undefined ? undefined : { turn, isCircle: false }, error };

  function locateEnd(onset: Onset | undefined, error: TraceError<number> | undefined): LocatedError {
    const isBefore = error && turnBefore(turns, timeOf, error.at) !== undefined;
    // Decisions after the error that no turn had did not cause it.
    return { kind: "failed", onset: error && !isBefore ? undefined : onset, error };
  }
}

/** The turn that an error belongs to: the latest one with an error before it, else the latest one. */
function turnBefore(
  turns: readonly RunTurn[],
  timeOf: (turn: RunTurn) => number,
  at: number,
): number | undefined {
  let latest: number | undefined;
  let latestFailed: number | undefined;
  for (const [index, turn] of turns.entries()) {
    const time = timeOf(turn);
    // In the same millisecond, an error comes before the reaction to it and after any other decision.
    if (turn.isReaction ? time >= at : time > at) continue;
    const isLatest = (known: number | undefined) => {
      const knownTurn = known === undefined ? undefined : turns[known];
      return !knownTurn || time >= timeOf(knownTurn);
    };
    if (isLatest(latest)) latest = index;
    if (turn.errorKind !== null && isLatest(latestFailed)) latestFailed = index;
  }
  return latestFailed ?? latest;
}

const isSameError = (one: TraceError<number>, other: TraceError<number> | undefined) =>
  one.spanId === other?.spanId && one.eventId === other.eventId;
