import * as schemas from "@whytrace/contract/schemas/insights/releases";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { dateParam, textParam } from "../../http/request/query-params.ts";
import { NO_BASE_RELEASE } from "../drift/choose-sides.ts";
import { NO_RUNS } from "../drift/drift-report.ts";
import type { InsightsOptions } from "../insights-options.ts";
import {
  describeRange,
  parseDayRange,
  RANGE_DESCRIPTION,
  RANGE_ERRORS,
  rangeParams,
} from "../insights-range.ts";
import { compareReleases } from "./compare-releases.ts";
import { releaseHistory } from "./release-history.ts";

const NO_AGENT = "agent is required: the name of its traces, with changing parts masked as #.";

const agentParam = textParam("The agent: the name of its traces, with changing parts masked as #. Required");

export function releaseRoutes(app: App, { days, reads, guards }: InsightsOptions) {
  app.get(
    "/api/insights/releases",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "List the releases of an agent in the order of their first runs",
        description: `Runs that name no release are listed, too. ${RANGE_DESCRIPTION}`,
        querystring: z.object({ ...rangeParams, agent: agentParam }),
        response: { 200: schemas.releaseHistory },
        errors: { 400: [...RANGE_ERRORS, NO_AGENT], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const agent = requireAgent(request.query.agent);
      const range = parseDayRange(request.query);
      const { from, to } = describeRange(range, { daysLeft: 0 });
      const history = await reads.run(workspaceId, (db) => releaseHistory(db, workspaceId, agent, range));
      return { from, to, agent, ...history };
    },
  );

  app.get(
    "/api/insights/releases/compare",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Say whether a release of an agent is worse than another",
        description:
          "Compares bad runs, cost and time of two releases, or of two time ranges, and lists errors and choices that changed. If both " +
          "sides are alike, the verdict is worse, better or mixed in at most 5 of 100 comparisons. Runs of one session count " +
          "together. Without parameters it compares the newest release of the last 30 days with the one before it; without " +
          "releases, the last 7 days with the 7 days before them. Time ranges are extended to whole UTC days.",
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
        }),
        response: { 200: schemas.releaseComparison },
        errors: {
          400: [...RANGE_ERRORS, NO_AGENT, NO_BASE_RELEASE],
          404: [`${NO_RUNS} release <release>`],
          ...BUSY_ERRORS,
        },
      },
    },
    async (request) => {
      const { agent, ...query } = request.query;
      return compareReleases({ days, reads }, callerOf(request).workspaceId, requireAgent(agent), query);
    },
  );
}

function requireAgent(agent: string | undefined): string {
  if (agent === undefined) throw new HttpError(400, NO_AGENT);
  return agent;
}
