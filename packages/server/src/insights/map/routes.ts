import * as schemas from "@whytrace/contract/schemas/insights/decision-map";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import { ResultCache } from "../../db/result-cache.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { readTotals } from "../../trace-store/counts/totals.ts";
import { traceFilterParams } from "../../traces/trace-filter-params.ts";
import type { InsightsOptions } from "../insights-options.ts";
import {
  describeRange,
  parseDayRange,
  RANGE_DESCRIPTION,
  RANGE_ERRORS,
  rangeParams,
} from "../insights-range.ts";
import { agentParam, STEP } from "../names/params.ts";
import { decisionMap } from "./decision-map.ts";
import { mapPath } from "./map-path.ts";

const MAX_CACHED_PATHS = 100;

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
        response: { 200: schemas.decisionMap },
        errors: { 400: RANGE_ERRORS, ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseDayRange(request.query);
      const { agent } = request.query;
      return days.readJudged(workspaceId, { range, agent }, async (read, db) => ({
        ...describeRange(range, read),
        ...(await decisionMap(db, workspaceId, read, { agent })),
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
        response: { 200: schemas.mapPath },
        errors: { 400: [...RANGE_ERRORS, STEP], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseDayRange(request.query);
      const { agent, step, after } = request.query;
      if (step === undefined) throw new HttpError(400, STEP);
      const query = { agent, step, after, range };
      const path = await reads.run(workspaceId, async (db) =>
        pathCache.get(await readTotals(db, workspaceId), workspaceId, query, () =>
          mapPath(db, workspaceId, query),
        ),
      );
      return { ...describeRange(range, { daysLeft: 0 }), ...path };
    },
  );
}
