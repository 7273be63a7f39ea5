import type { LockedTrace } from "../batch/claim-ids.ts";
import type { SpanFactsCodec, TracePiece } from "../rows/trace-piece.ts";

/** A trace with more spans is not derived with each piece. */
const MAX_DERIVED_AT_ONCE = 256;
const GROWTH = 1.25;

/** A piece and the trace that it is merged into. */
export interface PlannedMerge {
  piece: TracePiece;
  codec: SpanFactsCodec;
  /** Undefined if the piece creates the trace. */
  existing: LockedTrace | undefined;
  /** Whether the trace is derived with this piece, or later. */
  isDerived: boolean;
  /** Whether it should be derived now, but is too large to be derived in this thread. */
  isDue: boolean;
}

export function planMerge(
  piece: TracePiece,
  codec: SpanFactsCodec,
  existing: LockedTrace | undefined,
  maxDerivedSpans: number,
): PlannedMerge {
  const state = existing?.mergeState;
  const spanCount = (existing?.childCounts[0] ?? 0) + piece.spans.length;
  const isDue =
    !state ||
    state.isDue === true ||
    spanCount <= MAX_DERIVED_AT_ONCE ||
    spanCount >= state.derivedSpans * GROWTH ||
    (piece.hasRoot && !state.hasRoot) ||
    piece.loggedIds === "all";
  // A new trace has no more spans than its request, whose size has decided about the thread.
  const isDerived = isDue && (!existing || spanCount <= maxDerivedSpans);
  return { piece, codec, existing, isDerived, isDue: isDue && !isDerived };
}
