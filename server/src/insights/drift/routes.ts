import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS } from "../../http/http-error.ts";
import { dateParam, textParam } from "../../http/query-params.ts";
import type { InsightsOptions } from "../insights-options.ts";
import { RANGE_ERRORS, rangeFields } from "../insights-range.ts";
import { agentParam } from "../names/params.ts";
import { decisionRule } from "../rules/schemas.ts";
import { count, decisionType, hashId } from "../schemas.ts";
import { MIXED, NO_BASE_RELEASE, ONE_TAG } from "./choose-sides.ts";
import { driftReport, NO_RUNS } from "./drift-report.ts";

const side = rangeFields.pick({ from: true, to: true }).extend({
  release: z.string().nullable(),
  tag: z.string().nullable(),
  runs: count,
  decisions: count,
});

const driftRow = z.object({
  signature: hashId,
  agent: z.string(),
  type: decisionType,
  options: z.array(z.object({ step: hashId, name: z.string(), base: count, current: count })),
  baseDecisions: count,
  currentDecisions: count,
  distance: z.number().describe("Half the sum of the differences of the shares, 0 to 1"),
  p: z
    .number()
    .nullable()
    .describe(
      "The probability of such a difference by chance, adjusted for all rows; null if either side has fewer than 20 decisions",
    ),
  isDrifting: z.boolean().describe("Whether p is less than 0.01 and the distance at least 0.05"),
});

const ruleResult = z.object({
  rule: decisionRule,
  isKept: z.boolean(),
  decisions: count,
  chosen: count,
  traceId: z.string().nullable().describe("A trace that breaks the rule"),
});

export function driftRoutes(app: App, { days, reads, guards }: InsightsOptions) {
  app.get(
    "/api/insights/drift",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Compare what agents choose between two releases, tags or time ranges",
        description:
          "Tests whether the options of each decision were chosen in other shares than before, and checks your decision rules. " +
          "Without parameters it compares the newest release of the last 30 days with the one before it; without releases, the last " +
          "7 days with the 7 days before them. Time ranges are extended to whole UTC days. Decisions that you set aside are " +
          "not compared.",
        querystring: z.object({
          agent: agentParam,
          from: dateParam("from", "Start of the current side, an ISO 8601 date"),
          to: dateParam("to", "End of the current side, an ISO 8601 date. Default: now"),
          baseFrom: dateParam(
            "baseFrom",
            "Start of the base. Default: as long before its end as the current side",
          ),
          baseTo: dateParam("baseTo", "End of the base. Default: the start of the current side"),
          release: textParam("The release of the current side. Default with baseRelease: the newest one"),
          baseRelease: textParam("The release of the base. Default with release: the one before it"),
          tag: textParam("Only traces with this tag on the current side; the newest 20,000 are counted"),
          baseTag: textParam("Only traces with this tag in the base"),
        }),
        response: {
          200: z.object({
            base: side,
            current: side,
            rows: z.array(driftRow).describe("At most 200; those that drift come first, then by p"),
            rules: z.array(ruleResult),
            progress: rangeFields.shape.progress,
            isFailed: z.boolean().describe("Whether something drifts or a rule is broken"),
          }),
        },
        errors: {
          400: [...RANGE_ERRORS, MIXED, ONE_TAG, NO_BASE_RELEASE],
          404: [`${NO_RUNS} release <release>`, `${NO_RUNS} tag <tag>`],
          ...BUSY_ERRORS,
        },
      },
    },
    async (request) => driftReport({ days, reads }, callerOf(request).userId, request.query),
  );
}
