import { DECISION_POINT_TYPES, STATUSES, TRACE, TRACE_SORTS } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { pageSchema } from "../http/page-schema.ts";
import { dateParam, enumParam, limitParam, pageParam, textParam } from "../http/query-params.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { sendJson, writePage, writeRecord } from "../http/write-json.ts";
import type { Live } from "../live/live.ts";
import { deleteTrace } from "../trace-store/delete-trace.ts";
import { jsonFields } from "../trace-store/record-columns.ts";
import { getChild, getTrace } from "./get-trace.ts";
import { listTraces } from "./list-traces.ts";
import { decisionPoint, event, outlinedTrace, span, traceRow, wholeTrace } from "./schemas.ts";

const listQuery = z.object({
  page: pageParam,
  limit: limitParam,
  status: enumParam("status", STATUSES, "Only traces with this status"),
  sort: enumParam(
    "sort",
    TRACE_SORTS,
    "newest (the default) and oldest sort by startedAt, longest and shortest by totalDuration, costliest by totalCost. " +
      "Traces without that value come last.",
  ),
  dateFrom: dateParam("dateFrom", "Only traces received (createdAt) at this time or later, an ISO 8601 date"),
  dateTo: dateParam("dateTo", "Only traces received (createdAt) at this time or earlier"),
  search: textParam("Part of the name, case-insensitive"),
  sessionId: textParam("Only traces with this sessionId"),
  tags: textParam("Only traces with at least one of these tags, separated by commas"),
  startedFrom: dateParam("startedFrom", "Only traces that started at this time or later"),
  startedTo: dateParam("startedTo", "Only traces that started before this time"),
  error: textParam("Only traces with a failed span or an ERROR event of this name"),
  errorMessage: textParam("Together with error: the first 200 characters of the failed span's statusMessage"),
  choice: textParam("Only traces with a decision that chose the option of this name"),
  choiceType: enumParam(
    "choiceType",
    DECISION_POINT_TYPES,
    "Together with choice: the type of that decision",
  ),
});
const id = z.object({ id: z.string() });
const NOT_FOUND = { 404: ["Trace not found"] };
const TRACE_JSON = new Set(jsonFields(TRACE.fields));

/** These routes return the payloads that an outline omits, one record at a time. */
const CHILD_ROUTES = [
  {
    path: "spans",
    kind: "spans",
    parameter: "spanId",
    schema: span,
    summary: "Get one span with its payloads",
    notFound: "Span not found",
  },
  {
    path: "decision-points",
    kind: "decisionPoints",
    parameter: "decisionPointId",
    schema: decisionPoint,
    summary: "Get one decision point with its context snapshot",
    notFound: "Decision point not found",
  },
  {
    path: "events",
    kind: "events",
    parameter: "eventId",
    schema: event,
    summary: "Get one event with its metadata",
    notFound: "Event not found",
  },
] as const;

const orNotFound = (trace: string | undefined) => {
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
        response: { 200: pageSchema("traces", traceRow) },
      },
    },
    async (request, reply) => {
      const { page, limit, sort = "newest", tags: tagText = "", ...filter } = request.query;
      const tagList = tagText.split(",").map((tag) => tag.trim());
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
          traces.map((trace) => writeRecord(trace, TRACE_JSON)),
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
        summary: "Get one trace with all its children, in the order sent",
        params: id,
        response: { 200: wholeTrace },
        errors: NOT_FOUND,
      },
    },
    async (request, reply) =>
      sendJson(reply, orNotFound(await getTrace(db, sessionOf(request).user.id, request.params.id, "whole"))),
  );

  app.get(
    "/api/traces/:id/outline",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get one trace without its payloads",
        description:
          "Omits input, output, metadata and contextSnapshot, which can be large. Get them one record at a time.",
        params: id,
        response: { 200: outlinedTrace },
        errors: NOT_FOUND,
      },
    },
    async (request, reply) =>
      sendJson(
        reply,
        orNotFound(await getTrace(db, sessionOf(request).user.id, request.params.id, "outline")),
      ),
  );

  for (const { path, kind, parameter, schema, summary, notFound } of CHILD_ROUTES)
    app.get(
      `/api/traces/:id/${path}/:${parameter}`,
      {
        onRequest,
        schema: {
          tags,
          summary,
          params: z.object({ id: z.string(), [parameter]: z.string() }),
          response: { 200: schema },
          errors: { 404: [notFound] },
        },
      },
      async (request, reply) => {
        const { id: traceId = "", [parameter]: childId = "" } = request.params;
        const child = await getChild(db, sessionOf(request).user.id, traceId, { kind, id: childId });
        if (child === undefined) throw new HttpError(404, notFound);
        return sendJson(reply, child);
      },
    );

  app.delete(
    "/api/traces/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete a trace and everything in it",
        description:
          "The id can be used again. The deleted trace still counts towards the limit of your plan.",
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
