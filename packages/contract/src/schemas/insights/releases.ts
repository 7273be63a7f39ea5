import { z } from "zod";
import { count, instant } from "../values.ts";
import { driftRow, untestedReason } from "./drift.ts";
import { insightsRange, interval } from "./rate.ts";

const agent = z.string().describe("The name of the agent's traces, with changing parts masked as #");

const agentRelease = z.object({
  name: z.string().nullable().describe("Null: runs that name no release"),
  group: z
    .string()
    .nullable()
    .describe('Releases that differ only in their patch version have the same group, such as "2.3"'),
  firstAt: instant.describe("The start of its first run in the time range"),
  lastAt: instant.describe("The start of its last run"),
  runs: count,
  badRuns: count,
});

/** The releases of an agent, in the order of their first runs. */
export const releaseHistory = insightsRange.pick({ from: true, to: true }).extend({
  agent,
  releases: z.array(agentRelease).describe("In the order of their first runs; at most the newest 200"),
  isTruncated: z.boolean().describe("Whether the agent has more runs than were read: the newest 50,000"),
});

const comparedSide = insightsRange.pick({ from: true, to: true }).extend({
  release: z.string().nullable().describe("Null: all runs of the time range"),
  runs: count.describe("Also those that decided nothing; at most the newest 10,000"),
  judgedRuns: count.describe("Runs that are good or bad. Open and unknown ones are not counted"),
  badRuns: count.describe("With those that were abandoned: they sent nothing for 60 minutes and never ended"),
  abandonedRuns: count,
  sessions: count.describe("Sessions, and runs without a session, of the judged runs"),
});

const measureName = z.enum(["bad", "cost", "time"]);
const measureVerdict = z.enum(["worse", "better", "alike", "untested"]);

const measure = z.object({
  name: measureName.describe("bad: the share of bad runs; cost: US dollars a run; time: milliseconds a run"),
  base: interval
    .nullable()
    .describe("Of cost and time the geometric mean: what a typical run takes. Null: not known"),
  current: interval.nullable(),
  change: interval
    .nullable()
    .describe("The difference of the shares of bad runs, -1 to 1; the ratio of costs and of times"),
  p: z
    .number()
    .nullable()
    .describe("The probability of such a difference by chance, adjusted for all measures that were tested"),
  untested: untestedReason.nullable().describe("Why it cannot be tested, as in GET /api/insights/drift"),
  verdict: measureVerdict.describe(
    "worse or better: p is less than 0.05, and the change is at least 1 point, or 10 % of cost and time",
  ),
});

const comparedError = z.object({
  name: z.string().describe("Of the failed span or event that had it most often"),
  message: z.string().nullable().describe("With changing parts masked as #"),
  base: count.describe("Runs with this error"),
  current: count,
  change: z.enum(["new", "gone", "more", "fewer"]),
  p: z.number().nullable().describe("Adjusted for all errors; null if it cannot be tested"),
  isClear: z.boolean().describe("Whether p is less than 0.05. Otherwise it may be chance"),
  traceId: z.string().describe("A trace with this error"),
  sent: z
    .object({ error: z.string(), errorMessage: z.string().nullable() })
    .describe("The filters of GET /api/traces that find the error as that trace has it"),
});

/** Whether a release, or a time range, is worse than another one. */
export const releaseComparison = z.object({
  agent,
  base: comparedSide,
  current: comparedSide,
  verdict: z
    .enum(["worse", "better", "mixed", "alike", "untested"])
    .describe(
      "Of all measures together. If both sides are alike, it is worse, better or mixed in at most 5 of 100 comparisons",
    ),
  sentence: z.string().describe("The verdict in words"),
  measures: z.array(measure),
  errors: z
    .array(comparedError)
    .describe("Errors that are new, gone or clearly more or less frequent; at most 50"),
  choices: z
    .array(driftRow)
    .describe("Decisions whose options are chosen in other shares than before; at most 50"),
  untestedChoices: count.describe("Decisions that could not be tested"),
  progress: insightsRange.shape.progress,
  isTruncated: z.boolean().describe("Whether a side has more runs, or more errors, than were read"),
});

export type AgentRelease = z.infer<typeof agentRelease>;
export type ReleaseHistory = z.infer<typeof releaseHistory>;
export type ComparedSide = z.infer<typeof comparedSide>;
export type ReleaseMeasure = z.infer<typeof measure>;
export type ComparedError = z.infer<typeof comparedError>;
export type ReleaseComparison = z.infer<typeof releaseComparison>;
