import { z } from "zod";
import { sessionOf } from "../../auth/require-session.ts";
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
import { count, decisionType, hashId, release } from "../schemas.ts";
import { decisionMap } from "./decision-map.ts";

const node = z.object({
  step: hashId.describe("0 is the start"),
  signature: hashId.nullable(),
  type: decisionType.nullable(),
  name: z.string(),
  runs: count.describe(
    "Traces that chose this and have ended; a trace counts once, however often it chose it",
  ),
  failedRuns: count.describe("Those of them with the status ERROR"),
  ended: z
    .object({ fine: count, failed: count })
    .describe("Traces whose last decision this was, and how they ended"),
});
const edge = z.object({ from: hashId, to: hashId, runs: count, failedRuns: count });

export function mapRoutes(app: App, { days, guard }: InsightsOptions) {
  app.get(
    "/api/insights/map",
    {
      onRequest: guard,
      schema: {
        tags: ["Insights"],
        summary: "Get all runs of an agent as a graph of decisions",
        description: `An edge joins two decisions that followed each other. ${RANGE_DESCRIPTION}`,
        querystring: z.object({ ...rangeParams, agent: agentParam }),
        response: {
          200: rangeFields.extend({
            agent: z.string().nullable(),
            runs: count,
            failedRuns: count,
            nodes: z.array(node),
            edges: z.array(edge),
            releases: z.array(release),
            isTruncated: z
              .boolean()
              .describe("Whether rare choices were left out because there are too many"),
          }),
        },
        errors: { 400: RANGE_ERRORS, ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const userId = sessionOf(request).user.id;
      const range = parseDayRange(request.query);
      const { agent } = request.query;
      return days.read(userId, range, async (read, db) => ({
        ...describeRange(range, read),
        ...(await decisionMap(db, userId, read, { agent })),
      }));
    },
  );
}
