import { DECISION_SORTS, STATUSES } from "@whytrace/contract";
import { z } from "zod";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { readJsonChunks } from "../db/read-json-chunks.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import {
  CURSOR_ORDER,
  cursorPageSchema,
  cursorParam,
  cutPage,
  INVALID_CURSOR,
  readCursor,
  writeCursor,
} from "../http/list-cursor.ts";
import { pageSchema } from "../http/page-schema.ts";
import { enumParam, limitParam, pageParam } from "../http/query-params.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { sendStream } from "../http/send-stream.ts";
import { JSON_TYPE, listChunks, pageChunks } from "../http/write-json.ts";
import { decisionPoint } from "../traces/schemas.ts";
import { decisionFilterParams } from "./decision-filter-params.ts";
import { findDecisionsAfter } from "./find-decisions-after.ts";
import { type ListedDecision, listDecisions, listedDecisionsQuery } from "./list-decisions.ts";

const { type, ...otherFilters } = decisionFilterParams;
const listQuery = z.object({
  page: pageParam,
  limit: limitParam,
  type,
  sort: enumParam(
    "sort",
    DECISION_SORTS,
    "newest (the default) and oldest sort by timestamp, costliest by costUsd. Decision points without a cost come last.",
  ),
  ...otherFilters,
  cursor: cursorParam,
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

export interface DecisionRoutesOptions {
  reads: FairDatabase;
  budget: ReadBudget;
  guards: Guards;
  credentials: CredentialWatch;
}

export function decisionRoutes(app: App, { reads, budget, guards, credentials }: DecisionRoutesOptions) {
  app.get(
    "/api/decisions",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Decisions"],
        summary: "List the decision points of all your traces",
        querystring: listQuery,
        response: {
          200: z.union([pageSchema("decisions", decisionRow), cursorPageSchema("decisions", decisionRow)]),
        },
        errors: { 400: [INVALID_CURSOR, CURSOR_ORDER], ...BUSY_ERRORS },
      },
    },
    async (request, reply) => {
      const { page, limit, sort = "newest", cursor, ...filter } = request.query;
      const { userId, credentialId } = callerOf(request);
      const permission = credentials.permission(credentialId);
      const chunksOf = (rows: ListedDecision[]) =>
        readJsonChunks(reads, userId, rows, (chunk) => listedDecisionsQuery(userId, chunk));
      if (cursor !== undefined) {
        const position = readCursor({ ...request.query, cursor }, filter, 2);
        const found = await reads.run(userId, (db) =>
          findDecisionsAfter(db, userId, { filter, position, limit: limit + 1 }),
        );
        const { rows, nextCursor } = cutPage(found, limit, ({ traceId, id }) =>
          writeCursor([traceId, id], filter),
        );
        return sendStream(reply, {
          contentType: JSON_TYPE,
          budget,
          userId,
          permission,
          chunks: listChunks("decisions", chunksOf(rows), { limit, nextCursor }),
        });
      }
      const { rows, total } = await reads.run(userId, (db) =>
        listDecisions(db, userId, { page, limit, sort }, filter),
      );
      return sendStream(reply, {
        contentType: JSON_TYPE,
        budget,
        userId,
        permission,
        chunks: pageChunks("decisions", chunksOf(rows), { page, limit, total }),
      });
    },
  );
}
