import type { MergeState } from "../rows/merge-state.ts";
import type { MergedDecisions } from "./replace-decisions.ts";
import type { Merge } from "./stored-pieces.ts";

const DERIVED_LATE_AFTER_S = 2;
/** After how many seconds without a span a larger trace is derived: one for each of these spans. */
const SPANS_PER_SECOND_LATE = 5_000;
/** When the decision points of a trace without root get its name. */
const NAMED_LATE_AFTER_S = 10;

/** What was written of a piece. */
interface WrittenPiece {
  openParts: Pick<MergeState, "openPart" | "openBytes">;
  decisions: Pick<MergedDecisions, "nextPosition" | "searchedName">;
  /** How many spans the trace has now. */
  spanCount: number;
  newEvents: number;
}

export function stateAfterMerge(
  { piece, isDerived, isDue, stored: { state } }: Merge,
  { openParts, decisions, spanCount, newEvents }: WrittenPiece,
): MergeState {
  return {
    ...state,
    ...openParts,
    ...(isDerived && state.posted && { posted: readPosted(state.posted) }),
    isDue: isDue || undefined,
    bytes: state.bytes + piece.bytes,
    factsBytes: state.factsBytes + piece.factsBytes,
    hasRoot: state.hasRoot || piece.hasRoot,
    nextEvent: state.nextEvent + newEvents,
    nextDecisionPoint: decisions.nextPosition,
    searchedName: decisions.searchedName,
    derivedSpans: isDerived ? spanCount : state.derivedSpans,
  };
}

const readPosted = ({ isUnread: _isUnread, ...posted }: NonNullable<MergeState["posted"]>) => posted;

/** When a worker derives the trace again, in seconds from now; null if that changes nothing. */
export function deriveAfterS(
  trace: { name: string } | undefined,
  { searchedName, isDue }: MergeState,
  spanCount: number,
): number | null {
  if (isDue) return 0;
  if (!trace) return Math.max(DERIVED_LATE_AFTER_S, spanCount / SPANS_PER_SECOND_LATE);
  return searchedName === undefined || searchedName === trace.name ? null : NAMED_LATE_AFTER_S;
}
