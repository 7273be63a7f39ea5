import { NO_ERROR_TO_EXPLAIN } from "@whytrace/contract";
import { blame } from "@whytrace/contract/schemas/insights/blame";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { numberParam, textParam } from "../../http/request/query-params.ts";
import type { InsightsOptions } from "../insights-options.ts";
import { explainError, NO_TRACE } from "./explain-error.ts";

export function blameRoutes(app: App, { reads, days, learner, guards }: InsightsOptions) {
  app.get(
    "/api/insights/blame/:traceId",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Rank the decisions before a run went wrong by how well they explain it",
        description:
          "Fits all choices of the agent's newest 1,000 runs of the last 30 days together, as findings do, and divides what went " +
          "wrong in this run between its choices, what it left out, and chance. It shows an association, not a cause. Without " +
          "spanId or reason, explains why the run failed or was abandoned, or else the first reason for which it is bad, or its first " +
          "error. Choices after it went wrong, and those " +
          "that answer an error, are no suspects. At most 100 suspects and 100 errors are returned.",
        params: z.object({ traceId: z.string() }),
        querystring: z.object({
          spanId: textParam("The failed span whose error is to be explained"),
          reason: numberParam(
            "reason",
            "Which of the reasons for which the run is bad is to be explained, counted from 0 as in reasons of the response",
            { isInteger: true },
          ),
        }),
        response: { 200: blame },
        errors: { 404: [NO_TRACE, NO_ERROR_TO_EXPLAIN], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const { traceId } = request.params;
      const { spanId, reason } = request.query;
      const explained = await explainError({ reads, days, learner }, workspaceId, {
        traceId,
        spanId,
        reason,
      });
      if (!explained) throw new HttpError(404, NO_ERROR_TO_EXPLAIN);
      return explained;
    },
  );
}
