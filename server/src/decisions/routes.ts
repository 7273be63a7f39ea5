import { DECISION_POINT_TYPES, DECISION_SORTS, STATUSES } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { readJsonChunks } from "../db/read-json-chunks.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import { pageSchema } from "../http/page-schema.ts";
import { enumParam, limitParam, pageParam, textParam } from "../http/query-params.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { sendStream } from "../http/send-stream.ts";
import { JSON_TYPE, pageChunks } from "../http/write-json.ts";
import { decisionPoint } from "../traces/schemas.ts";
import { listDecisions, listedDecisionsQuery } from "./list-decisions.ts";

const listQuery = z.object({
  page: pageParam,
  limit: limitParam,
  type: enumParam("type", DECISION_POINT_TYPES, "Only decision points of this type"),
  sort: enumParam(
    "sort",
    DECISION_SORTS,
    "newest (the default) and oldest sort by timestamp, costliest by costUsd. Decision points without a cost come last.",
  ),
  search: textParam(
    "Part of the reasoning, of the chosen option's JSON or of the trace's name, case-insensitive",
  ),
});
const decisionRow = decisionPoint.extend({
  traceId: z.string(),
  trace: z.object({
    id: z.string(),
    name: z.string(),
    status: z.enum(STATUSES),
    startedAt: z.iso.datetime(),
  }),
});

export function decisionRoutes(
  app: App,
  { reads, budget, guard }: { reads: FairDatabase; budget: ReadBudget; guard: SessionGuard },
) {
  app.get(
    "/api/decisions",
    {
      onRequest: guard,
      schema: {
        tags: ["Decisions"],
        summary: "List the decision points of all your traces",
        querystring: listQuery,
        response: { 200: pageSchema("decisions", decisionRow) },
        errors: BUSY_ERRORS,
      },
    },
    async (request, reply) => {
      const query = { ...request.query, sort: request.query.sort ?? "newest" };
      const userId = sessionOf(request).user.id;
      const { rows, total } = await reads.run(userId, (db) => listDecisions(db, userId, query));
      const chunks = readJsonChunks(reads, userId, rows, (chunk) => listedDecisionsQuery(userId, chunk));
      return sendStream(reply, {
        contentType: JSON_TYPE,
        budget,
        userId,
        chunks: pageChunks("decisions", chunks, { ...query, total }),
      });
    },
  );
}
