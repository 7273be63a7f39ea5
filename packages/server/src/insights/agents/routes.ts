import { agentHealthList } from "@whytrace/contract/schemas/insights/agents";
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
  rangeParams,
} from "../insights-range.ts";
import { agentParam } from "../names/params.ts";
import { listAgentHealth } from "./list-agent-health.ts";

export function agentRoutes(app: App, { reads, guards }: InsightsOptions) {
  app.get(
    "/api/insights/agents/health",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Say how agents do: runs, bad runs, cost and time",
        description: `Counts all runs, also those that decided nothing. Those with the most runs come first. ${RANGE_DESCRIPTION}`,
        querystring: z.object({ ...rangeParams, agent: agentParam }),
        response: { 200: agentHealthList },
        errors: { 400: RANGE_ERRORS, ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseDayRange(request.query);
      const { from, to } = describeRange(range, { daysLeft: 0 });
      const found = await reads.run(workspaceId, (db) =>
        listAgentHealth(db, workspaceId, range, request.query.agent),
      );
      return { from, to, ...found };
    },
  );
}
