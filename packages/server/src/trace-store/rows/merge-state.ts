import type { ParsedTrace } from "@whytrace/contract";

/** What is stored, as JSON, in the row of a trace into which pieces are merged. */
export interface MergeState {
  /** Set if the trace came by POST /api/traces before: what it says stays, and what it leaves out is derived. */
  posted?: Pick<ParsedTrace, "sessionId" | "totalCost" | "totalTokens" | "totalDuration"> & {
    spanCount: number;
    /** Set until the trace is derived for the first time: its spans are read then. */
    isUnread?: true;
  };
  hasRoot: boolean;
  /** How many spans the trace had when it was derived last. */
  derivedSpans: number;
  /** Set if the trace is to be derived as soon as possible, in the thread for large traces. */
  isDue?: true | undefined;
  /** Bytes of payloads and of what the trace is derived from, as far as they came in pieces. */
  bytes: number;
  factsBytes: number;
  /** Positions of the next event and decision point. */
  nextEvent: number;
  nextDecisionPoint: number;
  /**
   * The name of the trace by which its decision points can be found; absent if it has none. It is not corrected before the
   * root has come: the name of a trace without root may change with each piece.
   */
  searchedName?: string | undefined;
  /** From this part on, parts with packed payloads are small, and are packed together when there are many. */
  openPart: number;
  /** Bytes of payloads in these parts. */
  openBytes: number;
}

/** The state of a trace of which nothing is stored. */
export const NEW_MERGE_STATE: MergeState = {
  hasRoot: false,
  derivedSpans: 0,
  bytes: 0,
  factsBytes: 0,
  nextEvent: 0,
  nextDecisionPoint: 0,
  openPart: 0,
  openBytes: 0,
};
