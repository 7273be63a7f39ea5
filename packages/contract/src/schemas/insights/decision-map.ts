import { z } from "zod";
import { count, decisionType } from "../values.ts";
import { leftOut } from "./left-out.ts";
import { hashId, insightsRange } from "./rate.ts";

const mapTimes = z.object({
  times: count.describe(
    "How often runs that have ended came here; a run that comes again counts again. So the edges into a node add up to it, " +
      "and so do the edges out of it together with the runs that ended there",
  ),
  failedTimes: count.describe("How often of that in a run that failed"),
  unknownTimes: count.describe(
    "How often of that in a run whose outcome is unknown. The share of failures is failedTimes / (times - unknownTimes)",
  ),
});

/** An option that is chosen at different points of a run has one node. */
const mapNode = z.object({
  step: hashId.describe("0 is the start; other stands for all choices that are too rare to be listed"),
  signature: hashId.nullable(),
  type: decisionType.nullable(),
  name: z.string(),
  ...mapTimes.shape,
  runs: count.describe(
    "Traces that chose this and have ended; a trace counts once, however often it chose it",
  ),
  failedRuns: count.describe("Those of them with the status ERROR"),
  ended: z
    .object({ fine: count, failed: count, unknown: count })
    .describe("Traces whose last decision this was, and how they ended"),
});

/** Two decisions that followed each other. */
const mapEdge = z.object({
  from: hashId,
  to: hashId,
  ...mapTimes.shape,
  runs: count,
  failedRuns: count,
});

/** All runs of an agent as a graph. */
export const decisionMap = insightsRange.extend({
  agent: z.string().nullable(),
  runs: count.describe("Traces that decided something and have ended"),
  failedRuns: count,
  leftOut,
  nodes: z.array(mapNode),
  edges: z.array(mapEdge),
  isTruncated: z.boolean().describe("Whether rare choices are not counted because there are too many"),
});

const pathRelease = z.object({
  name: z.string().nullable().describe("Null: no release"),
  runs: count.describe("Traces that made the choice, or took the path, and have ended"),
  failedRuns: count.describe("Those of them with the status ERROR"),
  low: z.number().describe("The 95 % interval of failedRuns / runs"),
  high: z.number(),
});

/** More about a choice, or about the path to it from the choice right before. */
export const mapPath = insightsRange.extend({
  releases: z.array(pathRelease).describe("Those with the most runs, the newest one first"),
  betweenMs: z
    .number()
    .nullable()
    .describe("The median time between the two choices, of the newest traces; null without `after`"),
});

export type MapTimes = z.infer<typeof mapTimes>;
export type MapNode = z.infer<typeof mapNode>;
export type MapEdge = z.infer<typeof mapEdge>;
export type DecisionMap = z.infer<typeof decisionMap>;
export type PathRelease = z.infer<typeof pathRelease>;
export type MapPath = z.infer<typeof mapPath>;
