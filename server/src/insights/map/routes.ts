import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import { ResultCache } from "../../db/result-cache.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { readTotals } from "../../trace-store/totals.ts";
import { traceFilterParams } from "../../traces/trace-filter-params.ts";
import type { InsightsOptions } from "../insights-options.ts";
import {
  describeRange,
  parseDayRange,
  RANGE_DESCRIPTION,
  RANGE_ERRORS,
  rangeFields,
  rangeParams,
} from "../insights-range.ts";
import { agentParam, STEP } from "../names/params.ts";
import { count, decisionType, hashId } from "../schemas.ts";
import { decisionMap } from "./decision-map.ts";
import { mapPath } from "./map-path.ts";

const MAX_CACHED_PATHS = 100;

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

const pathRelease = z.object({
  name: z.string().nullable().describe("Null: no release"),
  runs: count.describe("Traces that made the choice, or took the path, and have ended"),
  failedRuns: count.describe("Those of them with the status ERROR"),
  low: z.number().describe("The 95 % interval of failedRuns / runs"),
  high: z.number(),
});

export function mapRoutes(app: App, { days, reads, guards }: InsightsOptions) {
  const pathCache = new ResultCache<Awaited<ReturnType<typeof mapPath>>>(MAX_CACHED_PATHS);

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

  app.get(
    "/api/insights/map/path",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Get a choice or a path of the map by release",
        description: `A path is a choice right after another one. ${RANGE_DESCRIPTION}`,
        querystring: z.object({
          ...rangeParams,
          agent: agentParam,
          step: traceFilterParams.step,
          after: traceFilterParams.after,
        }),
        response: {
          200: rangeFields.extend({
            releases: z.array(pathRelease).describe("Those with the most runs, the newest one first"),
            betweenMs: z
              .number()
              .nullable()
              .describe(
                "The median time between the two choices, of the newest traces; null without `after`",
              ),
          }),
        },
        errors: { 400: [...RANGE_ERRORS, STEP], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const userId = callerOf(request).userId;
      const range = parseDayRange(request.query);
      const { agent, step, after } = request.query;
      if (step === undefined) throw new HttpError(400, STEP);
      const query = { agent, step, after, range };
      const path = await reads.run(userId, async (db) =>
        pathCache.get(await readTotals(db, userId), userId, query, () => mapPath(db, userId, query)),
      );
      return { ...describeRange(range, { daysLeft: 0 }), ...path };
    },
  );
}
