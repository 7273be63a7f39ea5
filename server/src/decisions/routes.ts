import { DECISION_POINT, DECISION_POINT_TYPES, DECISION_SORTS, STATUSES } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { pageSchema } from "../http/page-schema.ts";
import { enumParam, limitParam, pageParam, textParam } from "../http/query-params.ts";
import { sendJson, writePage, writeRecord } from "../http/write-json.ts";
import { jsonFields } from "../trace-store/record-columns.ts";
import { decisionPoint } from "../traces/schemas.ts";
import { listDecisions } from "./list-decisions.ts";

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
const JSON_FIELDS = new Set(jsonFields(DECISION_POINT.fields));

export function decisionRoutes(app: App, { db, guard }: { db: Database; guard: SessionGuard }) {
  app.get(
    "/api/decisions",
    {
      onRequest: guard,
      schema: {
        tags: ["Decisions"],
        summary: "List the decision points of all your traces",
        querystring: listQuery,
        response: { 200: pageSchema("decisions", decisionRow) },
      },
    },
    async (request, reply) => {
      const query = { ...request.query, sort: request.query.sort ?? "newest" };
      const { decisions, total } = await listDecisions(db, sessionOf(request).user.id, query);
      const rows = decisions.map((decision) => writeRecord(decision, JSON_FIELDS));
      return sendJson(reply, writePage("decisions", rows, { ...query, total }));
    },
  );
}
