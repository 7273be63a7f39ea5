import { z } from "zod";
import { rangeFields } from "../insights-range.ts";
import {
  count,
  decisionType,
  hashId,
  interval,
  optionComparison,
  optionStat,
  rate,
  release,
  rowDrift,
  whyGroup,
} from "../schemas.ts";

const signature = hashId.describe("Identifies the type and the set of options");
const place = z
  .string()
  .nullable()
  .describe("The span in which one of the newest of these decisions was made");
const comparison = optionComparison.nullable().describe("Null in the groups few and aside");
const drift = rowDrift.nullable().describe("Null if the shares of options did not clearly change");

export const whyRow = z.object({
  signature,
  type: decisionType,
  place,
  group: whyGroup,
  decisions: count,
  options: z.array(optionStat).describe("Options that were chosen, the most frequent first"),
  neverChosen: z.array(z.string()),
  comparison,
  shares: z
    .array(z.number().nullable())
    .describe("For each day of the range, the share of the worst or else of the most frequent option"),
  drift,
});

const quantiles = z
  .object({ p5: z.number(), p25: z.number(), p50: z.number(), p75: z.number(), p95: z.number() })
  .nullable()
  .describe("Exact within 10 %");

const stratum = z.object({
  name: z.string().nullable().describe("Null: nothing before, or no release"),
  before: hashId.optional().describe("The step before; 0 stands for the start of the run"),
  decisions: count,
  failed: count,
  options: z.array(z.object({ step: hashId, rate })),
});

export const scorecardSchema = rangeFields.extend({
  signature,
  type: decisionType,
  agent: z.string().nullable(),
  agents: z.array(z.string()),
  place,
  group: whyGroup,
  decisions: count,
  open: count.describe("Decisions of running traces, which are not counted"),
  rate,
  options: z.array(
    optionStat.extend({
      offered: count,
      lift: interval.nullable().describe("Null if it or the other options were chosen fewer than 20 times"),
      costUsd: quantiles,
      durationMs: quantiles,
      verdicts: z.object({ right: count, wrong: count }),
    }),
  ),
  neverChosen: z.array(z.string()),
  comparison,
  days: z.array(z.object({ day: z.string(), counts: z.array(count).describe("In the order of options") })),
  releases: z.array(release),
  drift,
  strata: z
    .object({ before: z.array(stratum), release: z.array(stratum), agent: z.array(stratum) })
    .describe(
      "The options among runs that decided the same before, ran the same release or belong to the same agent",
    ),
});

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
