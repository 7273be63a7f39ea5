import { DECISION_POINT_TYPES, WHY_GROUPS } from "@whytrace/contract";
import { z } from "zod";
import { SUM_LIMIT } from "../db/with-sums.ts";

/* Parts of the responses of insights. */

export const count = z.number().int();
export const hashId = z.string();
export const decisionType = z.enum(DECISION_POINT_TYPES);
export const costUsd = z.number().nullable().describe(SUM_LIMIT);

export const interval = z
  .object({ value: z.number(), low: z.number(), high: z.number() })
  .describe("An estimate and its 95 % interval");

export const rate = z
  .object({
    decisions: count,
    failed: count.describe(
      "After so many decisions an error followed, and the run failed; of RETRY and ESCALATION: the run failed",
    ),
    recovered: count.describe("After so many decisions an error followed, but the run did not fail"),
    runs: count.describe("Traces with these decisions"),
    failedRuns: count,
    recoveredRuns: count,
    low: z.number(),
    high: z.number(),
  })
  .describe(
    "What followed the decisions of traces that have ended. low and high are the 95 % interval of failed / decisions",
  );

export const release = z.object({
  name: z.string(),
  firstDay: z.string().describe("The first day of the range in which it ran"),
  runs: count,
});

export const optionStat = z.object({
  step: hashId.describe(
    "Identifies the option of this decision, for example in the filter step of GET /api/traces",
  ),
  name: z.string(),
  rate,
  open: count.describe("Decisions of running traces, which are not counted"),
});

export const optionComparison = z.object({
  worst: hashId,
  best: hashId,
  failures: interval.describe(
    "Failures after the worst option above what the best alternative's rate would give",
  ),
  costUsd: interval.nullable(),
  lift: interval.describe("How many times as likely a failure is as after all other options"),
  stratifiedLift: interval
    .nullable()
    .describe("The same among decisions of the same agent after the same decision"),
  isConfounded: z.boolean().describe("Whether the two lifts contradict each other"),
  q: z.number().describe("The probability of such a difference by chance, adjusted for all comparisons"),
});

export const rowDrift = z.object({
  step: hashId,
  before: z.number(),
  after: z.number(),
  since: z.string().describe("The release, or the day, from which on the share is different"),
  p: z.number(),
});

export const whyGroup = z
  .enum(WHY_GROUPS)
  .describe(
    "worse: an option is followed by more failures, or costs more, than an alternative; unclear: that may be chance; " +
      "few: fewer than two options were chosen 20 times; aside: you set the decision aside",
  );
