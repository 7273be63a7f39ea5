import type { DecisionPointType } from "../traces/enums.ts";
import type { HashId, InsightsRange } from "./rate.ts";

/** The step of the node that stands for all choices that are too rare to be listed. */
export const OTHER_STEPS = "other";

/**
 * How often runs that have ended came here, and how often of that in a run that failed. A run that comes again counts again.
 * So the paths into a choice add up to it, and so do the paths out of it with the runs that ended there.
 */
export interface MapTimes {
  times: number;
  failedTimes: number;
}

export interface MapNode extends MapTimes {
  /** "0" is the start. An option that is chosen at different points of a run has one node. */
  step: HashId;
  signature: HashId | null;
  type: DecisionPointType | null;
  name: string;
  /** Traces: each counts once, however often it chose this. */
  runs: number;
  failedRuns: number;
  /** Runs whose last decision this was, and how they ended. */
  ended: { fine: number; failed: number };
}

/** Two decisions that followed each other. */
export interface MapEdge extends MapTimes {
  from: HashId;
  to: HashId;
  runs: number;
  failedRuns: number;
}

/** GET /api/insights/map: all runs of an agent as a graph. */
export interface DecisionMap extends InsightsRange {
  agent: string | null;
  /** Traces that decided something and have ended. */
  runs: number;
  failedRuns: number;
  nodes: MapNode[];
  edges: MapEdge[];
  /** If there are too many choices, only the most frequent ones are counted. */
  isTruncated: boolean;
}

/** The traces of one release that made a choice or took a path, and have ended. */
export interface PathRelease {
  /** Null: no release. */
  name: string | null;
  runs: number;
  failedRuns: number;
  /** The 95 % interval of `failedRuns / runs`. */
  low: number;
  high: number;
}

/** GET /api/insights/map/path: more about a choice, or about the path to it from the choice right before. */
export interface MapPath extends InsightsRange {
  /** Those with the most runs; the newest one first. */
  releases: PathRelease[];
  /** The median time from the choice before to this one; null if there is no choice before. */
  betweenMs: number | null;
}
