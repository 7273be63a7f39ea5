import { DECISION_POINT_TYPES, STATUSES, TRACE_SORTS } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { dateParam, enumParam, limitParam, pageParam, textParam } from "../http/query-params.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { sendJson, writePage, writeRecord } from "../http/write-json.ts";
import type { Live } from "../live/live.ts";
import { deleteTrace } from "../trace-store/delete-trace.ts";
import { getRecord, getTrace } from "./get-trace.ts";
import { listTraces } from "./list-traces.ts";
import { decisionPoint, event, outlinedTrace, pageOf, span, traceRow, wholeTrace } from "./schemas.ts";

const listQuery = z.object({
  page: pageParam,
  limit: limitParam,
  status: enumParam("status", STATUSES, "Traces of this status only"),
  sort: enumParam(
    "sort",
    TRACE_SORTS,
    "newest (the default) and oldest go by startedAt, longest and shortest by totalDuration, costliest by totalCost. " +
      "What has no such figure comes last.",
  ),
  dateFrom: dateParam(
    "dateFrom",
    "Taken in at this moment or later: an ISO 8601 date, compared with createdAt",
  ),
  dateTo: dateParam("dateTo", "Taken in at this moment or earlier"),
  search: textParam("Part of the name, in any case"),
  sessionId: textParam("Traces of this session only"),
  tags: textParam("Tags, separated by commas; a trace with any of them is listed"),
  startedFrom: dateParam("startedFrom", "Started at this moment or later"),
  startedTo: dateParam("startedTo", "Started before this moment"),
  error: textParam("Traces with a failed span or an ERROR event of this name"),
  errorMessage: textParam("With error: the first 200 characters of the failed span's statusMessage"),
  choice: textParam("Traces with a decision that chose the option of this name"),
  choiceType: enumParam("choiceType", DECISION_POINT_TYPES, "With choice: of this type of decision only"),
});
const id = z.object({ id: z.string() });
const NOT_FOUND = { 404: ["Trace not found"] };
const METADATA = new Set(["metadata"]);

const found = (trace: string | undefined) => {
  if (trace === undefined) throw new HttpError(404, "Trace not found");
  return trace;
};

export function traceRoutes(
  app: App,
  { db, guard, live }: { db: Database; guard: SessionGuard; live: Live },
) {
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
      const { page, limit, sort = "newest", tags: wanted = "", ...filter } = request.query;
      const tagList = wanted.split(",").map((tag) => tag.trim());
      const { traces, total } = await listTraces(
        db,
        sessionOf(request).user.id,
        { page, limit, sort },
        { ...filter, tags: tagList.filter(Boolean) },
      );
      return sendJson(
        reply,
        writePage(
          "traces",
          traces.map((trace) => writeRecord(trace, METADATA)),
          { page, limit, total },
        ),
      );
    },
  );

  app.get(
    "/api/traces/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "One trace, whole, its children in the order sent",
        params: id,
        response: { 200: wholeTrace },
        errors: NOT_FOUND,
      },
    },
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
        description:
          "The same trace without input, output, metadata and contextSnapshot: what a view draws first.",
        params: id,
        response: { 200: outlinedTrace },
        errors: NOT_FOUND,
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
        errors: { 404: ["Span not found"] },
      },
    },
    async (request, reply) => {
      const { id: traceId, spanId } = request.params;
      const one = await getRecord(db, sessionOf(request).user.id, traceId, { kind: "span", id: spanId });
      if (one === undefined) throw new HttpError(404, "Span not found");
      return sendJson(reply, one);
    },
  );

  app.get(
    "/api/traces/:id/decision-points/:decisionPointId",
    {
      onRequest,
      schema: {
        tags,
        summary: "One decision point with its context",
        params: id.extend({ decisionPointId: z.string() }),
        response: { 200: decisionPoint },
        errors: { 404: ["Decision point not found"] },
      },
    },
    async (request, reply) => {
      const { id: traceId, decisionPointId } = request.params;
      const wanted = { kind: "decisionPoint", id: decisionPointId } as const;
      const one = await getRecord(db, sessionOf(request).user.id, traceId, wanted);
      if (one === undefined) throw new HttpError(404, "Decision point not found");
      return sendJson(reply, one);
    },
  );

  app.get(
    "/api/traces/:id/events/:eventId",
    {
      onRequest,
      schema: {
        tags,
        summary: "One event with its metadata",
        params: id.extend({ eventId: z.string() }),
        response: { 200: event },
        errors: { 404: ["Event not found"] },
      },
    },
    async (request, reply) => {
      const { id: traceId, eventId } = request.params;
      const one = await getRecord(db, sessionOf(request).user.id, traceId, { kind: "event", id: eventId });
      if (one === undefined) throw new HttpError(404, "Event not found");
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
        description: "Its id is free again. What it counted for your limit is not given back.",
        params: id,
        response: { 200: successSchema },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      const isDeleted = await deleteTrace({ db, live }, sessionOf(request).user.id, request.params.id);
      if (!isDeleted) throw new HttpError(404, "Trace not found");
      return SUCCESS;
    },
  );
}
