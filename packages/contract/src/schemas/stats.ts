import { z } from "zod";
import { judging } from "./insights/rate.ts";
import { count, decisionType, instant, optionalSum, sum } from "./values.ts";

/** Metrics of the traces that started in a time range. A metric is null if no trace has a value for it. */
const traceMetrics = z.object({
  traces: z.object({ RUNNING: count, COMPLETED: count, ERROR: count }),
  outcomes: z
    .object({ good: count, bad: count, unknown: count, open: count })
    .describe("How the traces are judged. The failure rate is bad / (good + bad)"),
  costUsd: optionalSum,
  tokens: optionalSum,
  durationP50Ms: z.number().nullable(),
  durationP95Ms: z.number().nullable(),
  durationP99Ms: z.number().nullable(),
});

/** A time range; `from` is inclusive, `to` is exclusive. */
const statsRange = z.object({ from: instant, to: instant });

export const traceStats = statsRange.extend({
  /** The length of a bucket, an hour or a day in UTC. */
  interval: z.enum(["hour", "day"]),
  buckets: z.array(traceMetrics.extend({ start: instant })),
  total: traceMetrics,
  before: traceMetrics.describe("The preceding time range of the same length"),
  judging: judging
    .optional()
    .describe("Present while stored runs are judged by a changed definition; all days are counted"),
});

/** What the calls of one model used and cost, at one price. */
const modelStat = z.object({
  model: z.string(),
  priceSource: z
    .string()
    .nullable()
    .describe("Where the cost comes from, as in a span; null if the model has no price"),
  traces: count,
  calls: z.number(),
  inputTokens: sum,
  cacheReadTokens: sum,
  cacheWriteTokens: sum,
  outputTokens: sum,
  reasoningTokens: sum,
  /** Null if no call has a cost. */
  costUsd: optionalSum,
});
export const modelStats = statsRange.extend({ models: z.array(modelStat) });

/** Spans or events that failed in the same way. */
const errorStat = z.object({
  name: z.string().describe("Of the span in the group that started last, or of the event"),
  /** Null if the span has no statusMessage, and for events. */
  message: z.string().nullable().describe("The first 200 characters of the message"),
  count: count.describe("Failed spans and events"),
  traces: count,
  lastAt: instant,
  lastTraceId: z.string(),
});
export const errorStats = statsRange.extend({ errors: z.array(errorStat) });

const choiceStat = z.object({
  type: decisionType,
  choice: z.string().describe("The name of the chosen option, or the start of its JSON"),
  count: count.describe("How often this choice was made"),
  failed: count.describe("How often its trace ended with the status ERROR"),
});
export const choiceStats = statsRange.extend({ choices: z.array(choiceStat) });

export type TraceMetrics = z.infer<typeof traceMetrics>;
export type TraceStats = z.infer<typeof traceStats>;
export type ModelStat = z.infer<typeof modelStat>;
export type ModelStats = z.infer<typeof modelStats>;
/** What the calls of one model in one trace used and cost, at one price. */
export type ModelCost = Omit<ModelStat, "traces">;
export type ErrorStat = z.infer<typeof errorStat>;
export type ErrorStats = z.infer<typeof errorStats>;
export type ChoiceStat = z.infer<typeof choiceStat>;
