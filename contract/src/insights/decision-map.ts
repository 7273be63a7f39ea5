import type { DecisionPointType } from "../traces/enums.ts";
import type { HashId, InsightsRange, Release } from "./rate.ts";

export interface MapNode {
  /** "0" is the start. An option that is chosen at different points of a run has one node. */
  step: HashId;
  signature: HashId | null;
  type: DecisionPointType | null;
  name: string;
  /** Runs that have ended, and those of them whose trace failed. A run counts once, however often it chose this. */
  runs: number;
  failedRuns: number;
  /** Runs whose last decision this was, and how they ended. */
  ended: { fine: number; failed: number };
}

/** Two decisions that followed each other. */
export interface MapEdge {
  from: HashId;
  to: HashId;
  runs: number;
  failedRuns: number;
}

/** GET /api/insights/map: all runs of an agent as a graph. */
export interface DecisionMap extends InsightsRange {
  agent: string | null;
  runs: number;
  failedRuns: number;
  nodes: MapNode[];
  edges: MapEdge[];
  releases: Release[];
  /** If there are too many choices, only the most frequent ones are shown. */
  isTruncated: boolean;
}
