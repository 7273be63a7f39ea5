import { STATUSES } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { choice, instant, limit, page, text } from "../http/page-query.ts";
import { done, success } from "../http/success.ts";
import { sendJson, writePage, writeRecord } from "../http/write-json.ts";
import { deleteTrace } from "./delete-trace.ts";
import { getSpan, getTrace } from "./get-trace.ts";
import { listTraces, SORTS } from "./list-traces.ts";
import { outlinedTrace, pageOf, span, traceRow, wholeTrace } from "./schemas.ts";

const listQuery = z.object({
  page,
  limit,
  status: choice("status", STATUSES),
  sort: choice("sort", SORTS),
  dateFrom: instant("dateFrom"),
  dateTo: instant("dateTo"),
  search: text,
  sessionId: text,
  tags: text,
});
const id = z.object({ id: z.string() });
const METADATA = new Set(["metadata"]);

const found = (trace: string | undefined) => {
  if (trace === undefined) throw new HttpError(404, "Trace not found");
  return trace;
};

export function traceRoutes(app: App, { db, guard }: { db: Database; guard: SessionGuard }) {
  const onRequest = guard;
  const tags = ["Traces"];

  app.get(
    "/api/traces",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your traces",
        querystring: listQuery,
        response: { 200: pageOf("traces", traceRow) },
      },
    },
    async (request, reply) => {
      const { sort = "newest", tags: wanted = "", ...rest } = request.query;
      const query = {
        ...rest,
        sort,
        tags: wanted
          .split(",")
          .map((tag) => tag.trim())
          .filter(Boolean),
      };
      const { traces, total } = await listTraces(db, sessionOf(request).user.id, query);
      return sendJson(
        reply,
        writePage(
          "traces",
          traces.map((trace) => writeRecord(trace, METADATA)),
          { ...query, total },
        ),
      );
    },
  );

  app.get(
    "/api/traces/:id",
    { onRequest, schema: { tags, summary: "One trace, whole", params: id, response: { 200: wholeTrace } } },
    async (request, reply) =>
      sendJson(reply, found(await getTrace(db, sessionOf(request).user.id, request.params.id, "whole"))),
  );

  app.get(
    "/api/traces/:id/outline",
    {
      onRequest,
      schema: {
        tags,
        summary: "One trace without its payloads",
        params: id,
        response: { 200: outlinedTrace },
      },
    },
    async (request, reply) =>
      sendJson(reply, found(await getTrace(db, sessionOf(request).user.id, request.params.id, "outline"))),
  );

  app.get(
    "/api/traces/:id/spans/:spanId",
    {
      onRequest,
      schema: {
        tags,
        summary: "One span with its payloads",
        params: id.extend({ spanId: z.string() }),
        response: { 200: span },
      },
    },
    async (request, reply) => {
      const { id: traceId, spanId } = request.params;
      const one = await getSpan(db, sessionOf(request).user.id, traceId, spanId);
      if (one === undefined) throw new HttpError(404, "Span not found");
      return sendJson(reply, one);
    },
  );

  app.delete(
    "/api/traces/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete a trace and everything in it",
        params: id,
        response: { 200: success },
      },
    },
    async (request) => {
      const isDeleted = await deleteTrace(db, sessionOf(request).user.id, request.params.id);
      if (!isDeleted) throw new HttpError(404, "Trace not found");
      return done;
    },
  );
}
