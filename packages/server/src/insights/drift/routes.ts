import * as schemas from "@whytrace/contract/schemas/insights/drift";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS } from "../../http/http-error.ts";
import { dateParam, textParam } from "../../http/request/query-params.ts";
import type { InsightsOptions } from "../insights-options.ts";
import { RANGE_ERRORS } from "../insights-range.ts";
import { agentParam } from "../names/params.ts";
import { MIXED, NO_BASE_RELEASE, ONE_TAG } from "./choose-sides.ts";
import { driftReport, NO_RUNS } from "./drift-report.ts";

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
        response: { 200: schemas.driftReport },
        errors: {
          400: [...RANGE_ERRORS, MIXED, ONE_TAG, NO_BASE_RELEASE],
          404: [`${NO_RUNS} release <release>`, `${NO_RUNS} tag <tag>`],
          ...BUSY_ERRORS,
        },
      },
    },
    async (request) => driftReport({ days, reads }, callerOf(request).workspaceId, request.query),
  );
}
