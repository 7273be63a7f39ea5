import { findings } from "@whytrace/contract/schemas/insights/findings";
import { z } from "zod";
import { callerOf } from "../../../api-keys/guards.ts";
import type { App } from "../../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../../http/http-error.ts";
import { textParam } from "../../../http/request/query-params.ts";
import type { InsightsOptions } from "../../insights-options.ts";
import {
  describeRange,
  parseDayRange,
  RANGE_DESCRIPTION,
  RANGE_ERRORS,
  rangeParams,
} from "../../insights-range.ts";
import { agentParam } from "../../names/params.ts";
import type { Lens } from "../runs/lens.ts";
import { LENSES } from "../stored/finding-windows.ts";
import { COMPUTING } from "./computations.ts";

const INVALID_LENS = "Invalid lens: <value>";

export function findingsRoutes(app: App, { findings: reader, guards }: InsightsOptions) {
  app.get(
    "/api/insights/findings",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "List the options that explain why runs go wrong",
        description:
          "Compares choices in the same situation, and fits all choices of an agent's newest 1,000 runs together. It shows an " +
          "association, not a cause. Lists of the last 7, 30 and 90 days are stored and computed again at most once an hour; those " +
          `of other time ranges are computed for the request, one at a time. ${RANGE_DESCRIPTION}`,
        querystring: z.object({
          ...rangeParams,
          agent: agentParam,
          lens: textParam(
            "Which runs are bad. failed: they failed, or were abandoned; error: an error came, whether or not the run got over it; " +
              "scored: they have a bad score. Default: failed, or scored if scores alone made runs bad; lens says which one",
          ),
        }),
        response: { 200: findings },
        errors: { 400: [...RANGE_ERRORS, INVALID_LENS], 429: [COMPUTING, ...BUSY_ERRORS[429]] },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseDayRange(request.query);
      const lens = parseLens(request.query.lens);
      const { agent } = request.query;
      const { from, to } = describeRange(range, { daysLeft: 0 });
      const read = await reader.read(workspaceId, { range, agent, lens });
      return { from, to, agent: agent ?? null, ...read };
    },
  );
}

function parseLens(text: string | undefined): Lens | undefined {
  if (text === undefined) return undefined;
  const lens = LENSES.find((one) => one === text);
  if (lens === undefined)
    throw new HttpError(
      400,
      INVALID_LENS.replace("<value>", () => text),
    );
  return lens;
}
