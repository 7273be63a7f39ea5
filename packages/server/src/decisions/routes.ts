import { DECISION_SORTS } from "@whytrace/contract";
import { decisionList } from "@whytrace/contract/schemas/decisions";
import { z } from "zod";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import type { Guards } from "../api-keys/guards.ts";
import { callerOf } from "../api-keys/guards.ts";
import { readJsonChunks } from "../db/copy/read-json-chunks.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import {
  CURSOR_ORDER,
  cursorParam,
  cutPage,
  INVALID_CURSOR,
  readCursor,
  writeCursor,
} from "../http/request/list-cursor.ts";
import { enumParam, limitParam, pageParam } from "../http/request/query-params.ts";
import { sendStream } from "../http/send-stream.ts";
import { JSON_TYPE, listChunks, pageChunks } from "../http/write-json.ts";
import { decisionFilterParams } from "./decision-filter-params.ts";
import { findDecisionsAfter } from "./find-decisions-after.ts";
import type { ListedDecision } from "./list-decisions.ts";
import { INCLUDED, listDecisions, listedDecisionsQuery } from "./list-decisions.ts";

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
  include: enumParam("include", INCLUDED, "outcome: also return the outcome of each decision's trace"),
  cursor: cursorParam,
});
interface DecisionRoutesOptions {
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
        response: { 200: decisionList },
        errors: { 400: [INVALID_CURSOR, CURSOR_ORDER], ...BUSY_ERRORS },
      },
    },
    async (request, reply) => {
      const { page, limit, sort = "newest", include, cursor, ...filter } = request.query;
      const { workspaceId, credentialId } = callerOf(request);
      const permission = credentials.permission(credentialId);
      const chunksOf = (rows: ListedDecision[]) =>
        readJsonChunks(reads, workspaceId, rows, (chunk) =>
          listedDecisionsQuery(workspaceId, chunk, include),
        );
      if (cursor !== undefined) {
        const position = readCursor({ ...request.query, cursor }, filter, 2);
        const found = await reads.run(workspaceId, (db) =>
          findDecisionsAfter(db, workspaceId, { filter, position, limit: limit + 1 }),
        );
        const { rows, nextCursor } = cutPage(found, limit, ({ traceId, id }) =>
          writeCursor([traceId, id], filter),
        );
        return sendStream(reply, {
          contentType: JSON_TYPE,
          budget,
          caller: workspaceId,
          permission,
          chunks: listChunks("decisions", chunksOf(rows), { limit, nextCursor }),
        });
      }
      const { rows, total } = await reads.run(workspaceId, (db) =>
        listDecisions(db, workspaceId, { page, limit, sort }, filter),
      );
      return sendStream(reply, {
        contentType: JSON_TYPE,
        budget,
        caller: workspaceId,
        permission,
        chunks: pageChunks("decisions", chunksOf(rows), { page, limit, total }),
      });
    },
  );
}
