import { DITHERINGS, SUSPICIONS, VERDICTS } from "@whytrace/contract";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS } from "../../http/http-error.ts";
import { textParam } from "../../http/query-params.ts";
import type { InsightsOptions } from "../insights-options.ts";
import { rangeFields } from "../insights-range.ts";
import { count, decisionType, hashId, rate } from "../schemas.ts";
import { explainError } from "./explain-error.ts";
import { NO_ERROR, NO_TRACE } from "./find-suspects.ts";

const namedError = {
  spanId: z.string().nullable().describe("Null if the error is not that of a span"),
  name: z.string(),
  message: z.string().nullable(),
};
const suspect = z.object({
  decisionPointId: z.string(),
  type: decisionType,
  signature: hashId,
  step: hashId,
  option: z.string(),
  suspicion: z
    .enum(SUSPICIONS)
    .describe("How likely it made the difference; none: not more likely than its alternatives"),
  score: z.number().describe("For ranking only. It is not a probability"),
  beforeMs: z.number().describe("Milliseconds from the decision to the error"),
  isSameSpan: z.boolean().describe("Whether it was made in the span that failed or in one that contains it"),
  place: z.string().nullable().describe("The span in which it was made"),
  after: z
    .object({ step: hashId, option: z.string() })
    .nullable()
    .describe(
      "What was decided before it, to which both rates are limited; the step 0 is the start of the run. Null: all decisions",
    ),
  chosen: rate,
  alternative: z
    .object({ step: hashId, option: z.string(), rate })
    .nullable()
    .describe("The best of the other options that were chosen 20 times, else the most frequent one"),
  sameError: z
    .object({ chosen: count, chosenRuns: count, alternative: count, alternativeRuns: count })
    .describe("In how many traces with this option, and with the alternative, this very error came"),
  clue: z
    .object({
      key: z.string(),
      value: z.string().describe("JSON"),
      failed: count,
      failedTotal: count,
      fine: count,
      fineTotal: count,
    })
    .nullable()
    .describe(
      "A value in its context that is more frequent among the newest such decisions if they failed than if they did not",
    ),
  dithering: z
    .object({
      kind: z.enum(DITHERINGS),
      option: z.string().optional(),
      retries: z.object({ total: count, recovered: count }).optional(),
    })
    .nullable()
    .describe("Why it looks undecided"),
  verdict: z
    .object({
      traceId: z.string(),
      decisionPointId: z.string(),
      verdict: z.enum(VERDICTS),
      shouldHaveBeen: z.string().nullable(),
      note: z.string().nullable(),
      suspectRank: z.number().int().nullable(),
      createdAt: z.iso.datetime(),
    })
    .nullable(),
});

export function blameRoutes(app: App, { days, guards }: InsightsOptions) {
  app.get(
    "/api/insights/blame/:traceId",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Rank the decisions before an error by how likely they made the difference",
        description:
          "Compares what followed each choice in runs of the same agent in the last 30 days with what followed its " +
          "alternatives: an association, not a cause. Without spanId, explains the error that the trace ended with. If a span " +
          "failed because a span inside it did, explains that span's error. At most 100 suspects and 100 errors are returned.",
        params: z.object({ traceId: z.string() }),
        querystring: z.object({ spanId: textParam("The failed span whose error is to be explained") }),
        response: {
          200: rangeFields.extend({
            traceId: z.string(),
            agent: z.string(),
            error: z.object({
              ...namedError,
              fingerprint: hashId,
              at: z.iso.datetime().describe("Decisions up to this time may have caused it"),
              runs: count.describe("Traces of the agent with this error"),
            }),
            errors: z.array(z.object(namedError)).describe("The errors of the trace in the order of time"),
            decisions: count.describe("How many decisions were made before the error"),
            suspects: z.array(suspect).describe("These decisions, the likeliest cause first"),
            record: z
              .object({ judged: count, right: count })
              .describe(
                "How often a person judged the first suspect of an error of this agent, and how often it was indeed wrong",
              ),
          }),
        },
        errors: { 404: [NO_TRACE, NO_ERROR], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const userId = callerOf(request).userId;
      const { traceId } = request.params;
      const { spanId } = request.query;
      return explainError(days, userId, { traceId, spanId });
    },
  );
}
