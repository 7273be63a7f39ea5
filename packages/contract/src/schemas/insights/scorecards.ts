import { z } from "zod";
import { count, decisionType, instant, optionalSum } from "../values.ts";
import { createdBy } from "../workspaces/workspaces.ts";
import { leftOut } from "./left-out.ts";
import { hashId, insightsRange, interval, rate, release } from "./rate.ts";

const totals = { runs: count, failedRuns: count, decisions: count, costUsd: optionalSum };

const agentSummary = z.object({
  /** The name of its traces, with changing parts such as numbers masked as "#". */
  name: z.string(),
  ...totals,
});
/** The agents that decided something in the time range, those with the most runs first. */
export const agentList = insightsRange.extend({ agents: z.array(agentSummary) });

/** One option of a decision, that is, of a type and a set of options. */
const optionStat = z.object({
  step: hashId.describe(
    "Identifies the option of this decision, for example in the filter step of GET /api/traces",
  ),
  name: z.string(),
  rate,
  open: count.describe("Decisions of running traces, which are not counted"),
  unknown: count.describe(
    "Decisions of runs whose outcome is unknown, and those that are the outcome itself; not counted",
  ),
  answered: count.describe(
    "Decisions of runs that have ended and have a score that decides about their outcome",
  ),
  readings: z
    .object({
      answered: rate.describe("Of runs with such a score"),
      silenceGood: rate.describe(
        "Runs without one are taken for good; of runs whose users were asked, once runs record it",
      ),
    })
    .nullable()
    .describe("How often a bad score followed. Null unless some runs have a score, and fewer than 90 %"),
});

/** The share of an option changed during the range. */
const rowDrift = z.object({
  step: hashId,
  before: z.number(),
  after: z.number(),
  since: z.string().describe("The release, or the day, from which on the share is different"),
  p: z.number(),
});

const signature = hashId.describe(
  "Identifies where in an agent a choice is made: by the type and the options if a program told them, else by the type and the spans around it",
);
const place = z
  .string()
  .nullable()
  .describe("The span in which one of the newest of these decisions was made");
const isAside = z.boolean().describe("Whether you set the decision aside: it is not compared");
const asideBy = createdBy.describe(
  "Who set the decision aside; null if nobody did, or if the account is deleted",
);
const drift = rowDrift.nullable().describe("Null if the shares of options did not clearly change");

/** One decision and what followed its options. Which option explains failures is said by GET /api/insights/findings. */
const whyRow = z.object({
  signature,
  type: decisionType,
  place,
  isAside,
  asideBy,
  decisions: count,
  options: z.array(optionStat).describe("Options that were chosen, the most frequent first"),
  neverChosen: z.array(z.string()),
  /** Null for a day without decisions. */
  shares: z
    .array(z.number().nullable())
    .describe("For each day of the range, the share of the most frequent option"),
  drift,
});

export const whyList = insightsRange.extend({
  /** Null: all agents. */
  agent: z.string().nullable(),
  ...totals,
  runsWithoutDecisions: count.describe(
    "Traces that decided nothing; they are not among the runs. Of more than 10,000 the newest are counted",
  ),
  failedWithoutDecisions: count.describe("Those of them that failed"),
  failure: z
    .object({ failed: count, judged: count })
    .describe(
      "The failure rate is failed / judged: bad runs of those that have ended and are good or bad, with decisions or without, as in " +
        "GET /api/stats/traces",
    ),
  leftOut,
  releases: z.array(release),
  rows: z.array(whyRow),
  isTruncated: z.boolean().describe("Whether rare decisions were left out because there are too many"),
  lastDecisionAt: instant
    .nullable()
    .describe("If the range has no decisions: the start of the newest trace before it that has"),
});

const quantiles = z.object({
  p5: z.number(),
  p25: z.number(),
  p50: z.number(),
  p75: z.number(),
  p95: z.number(),
});
const optionalQuantiles = quantiles.nullable().describe("Exact within 10 %");

const scorecardOption = optionStat.extend({
  /** How often it was one of the options. */
  offered: count,
  costUsd: optionalQuantiles,
  durationMs: optionalQuantiles,
  verdicts: z.object({ right: count, wrong: count }),
});

const stratum = z.object({
  /** The option chosen before, the release or the agent. */
  name: z.string().nullable().describe("Null: nothing before, or no release"),
  before: hashId.optional().describe("The step before; 0 stands for the start of the run"),
  decisions: count,
  failed: count,
  options: z.array(z.object({ step: hashId, rate })),
});

export const scorecard = insightsRange.extend({
  signature,
  type: decisionType,
  agent: z.string().nullable(),
  agents: z.array(z.string()),
  runs: count.describe("Runs of these agents that decided something"),
  leftOut,
  place,
  isAside,
  asideBy,
  decisions: count,
  open: count.describe("Decisions of running traces, which are not counted"),
  rate,
  options: z.array(scorecardOption),
  neverChosen: z.array(z.string()),
  days: z.array(z.object({ day: z.string(), counts: z.array(count).describe("In the order of options") })),
  releases: z.array(release),
  drift,
  strata: z
    .object({ before: z.array(stratum), release: z.array(stratum), agent: z.array(stratum) })
    .describe(
      "The options among runs that decided the same before, ran the same release or belong to the same agent",
    ),
});

/** What followed each option of one decision of a trace. */
export const decisionRates = insightsRange.extend({
  agent: z.string().describe("The name of its traces, with changing parts masked as #"),
  signature,
  decisions: count.describe("So many decisions of the agent were made in this place"),
  options: z
    .array(z.object({ step: hashId, rate: rate.nullable().describe("Null if it was never chosen") }))
    .describe("The option that was chosen, then its alternatives in the order sent"),
});

/** Why an option was chosen, similar texts together. */
export const reasonList = z.object({
  step: hashId,
  read: count.describe("So many of the newest decisions were read"),
  reasons: z.array(
    z.object({
      text: z.string(),
      decisions: count,
      failed: count,
      low: z.number(),
      high: z.number(),
      traceId: z.string().describe("A trace with this reason"),
    }),
  ),
});

/** What scores with numbers were on average after each option. */
export const scoreMeans = z.object({
  read: count.describe("So many of the newest ended runs with scores were read, at most 1,000"),
  names: z
    .array(
      z.object({
        name: z.string(),
        isShare: z.boolean().describe("Whether the scores are booleans: the mean is the share of true"),
        runs: count.describe("Runs that have such a score"),
        options: z.array(
          z.object({
            step: hashId,
            decisions: count.describe("Decisions for the option in these runs; each counts once in the mean"),
            runs: count,
            mean: interval
              .nullable()
              .describe("Runs of a session go together. Null of one run, or of runs of one session"),
          }),
        ),
      }),
    )
    .describe("The 4 names that the most runs have"),
});

export type ScoreMeans = z.infer<typeof scoreMeans>;
export type AgentSummary = z.infer<typeof agentSummary>;
export type OptionStat = z.infer<typeof optionStat>;
export type RowDrift = z.infer<typeof rowDrift>;
export type WhyRow = z.infer<typeof whyRow>;
export type WhyList = z.infer<typeof whyList>;
export type Quantiles = z.infer<typeof quantiles>;
export type ScorecardOption = z.infer<typeof scorecardOption>;
export type Stratum = z.infer<typeof stratum>;
export type Scorecard = z.infer<typeof scorecard>;
export type DecisionRates = z.infer<typeof decisionRates>;
export type ReasonList = z.infer<typeof reasonList>;
