import { hash32FromHex } from "@whytrace/contract";
import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import { comparison, partnerList } from "@whytrace/contract/schemas/insights/comparison";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { textParam } from "../../http/request/query-params.ts";
import type { InsightsOptions } from "../insights-options.ts";
import { A_NOT_FOUND, B_NOT_FOUND, compareTraces } from "./compare-traces.ts";
import { listPartners } from "./list-partners.ts";
import { MAX_DECISIONS } from "./read-decisions.ts";

const NOT_FOUND = "Trace not found";
const TRACE_ID = "must be the id of a trace";
const STEP = "Invalid step. Must be 8 hexadecimal digits.";

const idParam = (description: string) =>
  z
    .string({ error: TRACE_ID })
    .min(1, { error: TRACE_ID })
    .meta({ description })
    .register(fieldErrors, {
      texts: [TRACE_ID],
    });
const compareQuery = z.object({
  a: idParam("The id of a trace"),
  b: idParam("The id of the trace to compare it with"),
});
const partnersQuery = z.object({
  step: textParam("")
    .transform((text, context) => {
      const step = text === undefined ? undefined : hash32FromHex(text);
      if (text !== undefined && !step) context.addIssue(STEP);
      return step;
    })
    .meta({
      type: "string",
      description: "Only runs that chose this option at a point where the run decided otherwise",
    })
    .register(fieldErrors, { texts: [STEP] }),
});

export function compareRoutes(app: App, { reads, days, learner, guards }: InsightsOptions) {
  app.get(
    "/api/insights/compare",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Compare the decisions of two traces",
        description:
          "Puts the decisions of both traces side by side and says where they first differ. Decisions of parallel branches " +
          `are compared branch by branch, whichever came first. At most ${MAX_DECISIONS} decisions of each trace are compared.`,
        querystring: compareQuery,
        response: { 200: comparison },
        errors: { 404: [A_NOT_FOUND, B_NOT_FOUND], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      return compareTraces({ reads, days }, workspaceId, request.query);
    },
  );

  app.get(
    "/api/insights/partners/:traceId",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Find traces to compare a trace with",
        description:
          "Lists completed traces of the same agent: if the trace went wrong, first the one that chose otherwise at the first " +
          "suspect; then those that made the same decisions for the longest time and then chose otherwise, then those that " +
          "decided the same and went well, then other traces of the session.",
        params: z.object({ traceId: z.string() }),
        querystring: partnersQuery,
        response: { 200: partnerList },
        errors: { 404: [NOT_FOUND], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const { traceId } = request.params;
      const partners = await listPartners({ reads, learner }, workspaceId, traceId, request.query.step);
      if (!partners) throw new HttpError(404, NOT_FOUND);
      return partners;
    },
  );
}
