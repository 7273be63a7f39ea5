import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS } from "../../http/http-error.ts";
import type { InsightsOptions } from "../insights-options.ts";
import {
  describeRange,
  parseDayRange,
  RANGE_DESCRIPTION,
  RANGE_ERRORS,
  rangeFields,
  rangeParams,
} from "../insights-range.ts";
import { agentParam } from "../names/params.ts";
import { count, decisionType, hashId } from "../schemas.ts";
import { decisionMap } from "./decision-map.ts";

const times = {
  times: count.describe(
    "How often runs that have ended came here; a run that comes again counts again. So the edges into a node add up to it, " +
      "and so do the edges out of it together with the runs that ended there",
  ),
  failedTimes: count.describe("How often of that in a run that failed"),
};
const node = z.object({
  step: hashId.describe("0 is the start; other stands for all choices that are too rare to be listed"),
  signature: hashId.nullable(),
  type: decisionType.nullable(),
  name: z.string(),
  ...times,
  runs: count.describe(
    "Traces that chose this and have ended; a trace counts once, however often it chose it",
  ),
  failedRuns: count.describe("Those of them with the status ERROR"),
  ended: z
    .object({ fine: count, failed: count })
    .describe("Traces whose last decision this was, and how they ended"),
});
const edge = z.object({ from: hashId, to: hashId, ...times, runs: count, failedRuns: count });

export function mapRoutes(app: App, { days, guards }: InsightsOptions) {
  app.get(
    "/api/insights/map",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Get all runs of an agent as a graph of decisions",
        description: `An edge joins two decisions that followed each other. ${RANGE_DESCRIPTION}`,
        querystring: z.object({ ...rangeParams, agent: agentParam }),
        response: {
          200: rangeFields.extend({
            agent: z.string().nullable(),
            runs: count.describe("Traces that decided something and have ended"),
            failedRuns: count,
            nodes: z.array(node),
            edges: z.array(edge),
            isTruncated: z
              .boolean()
              .describe("Whether rare choices are not counted because there are too many"),
          }),
        },
        errors: { 400: RANGE_ERRORS, ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const userId = callerOf(request).userId;
      const range = parseDayRange(request.query);
      const { agent } = request.query;
      return days.read(userId, range, async (read, db) => ({
        ...describeRange(range, read),
        ...(await decisionMap(db, userId, read, { agent })),
      }));
    },
  );
}
