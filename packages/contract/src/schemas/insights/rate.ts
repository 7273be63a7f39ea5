import { z } from "zod";
import { count, instant } from "../values.ts";

/* Parts of the responses of insights. */

/** A `HashId`. */
export const hashId = z.string();

/** An option that was chosen. The step "0" is the start of the run. */
export const chosenStep = z.object({ step: hashId, option: z.string() });

export const interval = z
  .object({ value: z.number(), low: z.number(), high: z.number() })
  .describe("An estimate and its 95 % interval");

/** What followed a choice. The interval takes into account that decisions of one run go together. */
export const rate = z
  .object({
    decisions: count,
    failed: count.describe(
      "After so many decisions an error followed, and the run failed; of RETRY and ESCALATION: the run failed",
    ),
    recovered: count.describe("After so many decisions an error followed, but the run did not fail"),
    /** What a link to the list of traces shows. */
    runs: count.describe("Traces with these decisions"),
    failedRuns: count,
    recoveredRuns: count,
    low: z.number(),
    high: z.number(),
  })
  .describe(
    "What followed the decisions of traces that have ended. low and high are the 95 % interval of failed / decisions",
  );

/** A version of an agent: a tag such as "v2.3.1" or "release:2026-11-02". */
export const release = z.object({
  name: z.string(),
  firstDay: z.string().describe("The first day of the range in which it ran"),
  runs: count,
});

/** How far stored runs are judged again by a definition that changed. */
export const judging = z.object({
  countedFrom: instant.nullable().describe("The first day that is counted. Null: none yet"),
  runsLeft: count,
  isMixed: z
    .literal(true)
    .optional()
    .describe(
      "Present if all days are counted although some of their runs are still judged by the definition before",
    ),
});

/** The time range that was counted: whole days in UTC. */
export const insightsRange = z.object({
  from: instant,
  to: instant.describe("Exclusive"),
  progress: z
    .object({
      daysLeft: count,
      /** 10,000 also stands for more. */
      tracesLeft: count,
    })
    .optional()
    .describe(
      "Present if some days or traces of the range are not counted yet: ask again to count more of them",
    ),
  judging: judging
    .optional()
    .describe(
      "Present while stored runs are judged by a changed definition: only days are counted whose runs all are",
    ),
});

export type Interval = z.infer<typeof interval>;
export type Rate = z.infer<typeof rate>;
export type Release = z.infer<typeof release>;
export type InsightsRange = z.infer<typeof insightsRange>;
export type InsightsProgress = NonNullable<InsightsRange["progress"]>;
