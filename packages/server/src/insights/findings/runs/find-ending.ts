import { findCircle } from "./find-circle.ts";
import type { Lens } from "./lens.ts";
import type { ObservedRun } from "./observed-run.ts";

/** How a bad run ended. */
export interface Ending {
  /** The turn at which it went wrong. */
  onset: number;
  isLocated: boolean;
  isCircle: boolean;
  kind: number | "failed" | "never ended" | "bad score" | "bad outcome";
}

/** What the ending of a run is found by. */
export type EndedRun = Pick<
  ObservedRun,
  "turns" | "errors" | "status" | "isScoredBad" | "scoredTurn" | "isBadByObserved" | "messageKind"
>;

const NOT_LOCATED = { isLocated: false, isCircle: false };
const LOCATED = { isLocated: true, isCircle: false };

/** Undefined if the run is not bad. */
export function findEnding(run: EndedRun, lens: Lens): Ending | undefined {
  const { turns, errors, status, messageKind, scoredTurn } = run;
  const last = turns.length - 1;
  if (!isBadIn(lens, run)) return undefined;
  if (lens === "scored")
    return scoredTurn === undefined
      ? { ...NOT_LOCATED, onset: last, kind: "bad score" }
      : { ...LOCATED, onset: scoredTurn, kind: "bad score" };
  if (lens === "error") {
    const first = errors.findIndex((error) => error !== null);
    return { ...LOCATED, onset: first, kind: errors[first] ?? "failed" };
  }
  if (status === "COMPLETED") return { ...NOT_LOCATED, onset: last, kind: "bad outcome" };
  const onset = status === "ERROR" ? findFatalError(errors, last) : undefined;
  if (onset !== undefined) return { ...LOCATED, onset, kind: errors[onset] ?? "failed" };
  const circle = findCircle(turns);
  const kind = status === "RUNNING" ? "never ended" : (messageKind ?? "failed");
  return { onset: circle ?? last, isLocated: true, isCircle: circle !== undefined, kind };
}

/** A run that is still running here was abandoned: it failed, however it would have been judged. */
export function isBadIn(
  lens: Lens,
  {
    status,
    errors,
    isScoredBad,
    isBadByObserved = status === "ERROR",
  }: Omit<EndedRun, "turns" | "messageKind">,
): boolean {
  if (lens === "scored") return isScoredBad;
  if (lens === "error") return errors.some((error) => error !== null);
  return status === "RUNNING" || isBadByObserved;
}

/** The error that the run did not get over: of an unbroken series of turns with errors at its end, the first one. */
function findFatalError(errors: ObservedRun["errors"], last: number): number | undefined {
  let onset = errors.findLastIndex((error) => error !== null);
  if (onset < 0 || onset < last - 1) return undefined;
  while (onset > 0 && errors[onset - 1] !== null) onset -= 1;
  return onset;
}
