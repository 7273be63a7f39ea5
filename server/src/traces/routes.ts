import { TRACE_SORTS } from "@whytrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { readJsonChunks } from "../db/read-json-chunks.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { pageSchema } from "../http/page-schema.ts";
import { enumParam, limitParam, pageParam } from "../http/query-params.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { sendStream } from "../http/send-stream.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { JSON_TYPE, pageChunks } from "../http/write-json.ts";
import type { Live } from "../live/live.ts";
import { deleteTrace } from "../trace-store/delete-trace.ts";
import { getChild } from "./get-child.ts";
import { getTrace } from "./get-trace.ts";
import { listedTracesQuery, listTraces } from "./list-traces.ts";
import { decisionPoint, event, outlinedTrace, span, traceRow, wholeTrace } from "./schemas.ts";
import type { RecordDetail } from "./stored-record.ts";
import { traceFilterParams } from "./trace-filter-params.ts";

const { status, ...otherFilters } = traceFilterParams;
/** In the order in which the specification checks them. */
const listQuery = z.object({
  page: pageParam,
  limit: limitParam,
  status,
  sort: enumParam(
    "sort",
    TRACE_SORTS,
    "newest (the default) and oldest sort by startedAt, longest and shortest by totalDuration, costliest by totalCost. " +
      "Traces without that value come last.",
  ),
  ...otherFilters,
  include: enumParam("include", ["models"], "Also return the models that each trace called"),
});
const id = z.object({ id: z.string() });
const TRACE_ERRORS = { 404: ["Trace not found"], ...BUSY_ERRORS };

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

export interface TraceRoutesOptions {
  reads: FairDatabase;
  writes: FairDatabase;
  budget: ReadBudget;
  guard: SessionGuard;
  live: Live;
}

interface StoredRecord {
  heldBytes: number;
  chunks(): Iterable<Buffer[]> | AsyncIterable<Buffer[]>;
}

type ReadRecord = (client: pg.PoolClient, userId: string) => Promise<StoredRecord | undefined>;

export function traceRoutes(app: App, { reads, writes, budget, guard, live }: TraceRoutesOptions) {
  const onRequest = guard;
  const tags = ["Traces"];
  const sendRecord = (request: FastifyRequest, reply: FastifyReply, notFound: string, read: ReadRecord) => {
    const userId = sessionOf(request).user.id;
    let heldBytes = 0;
    // The record is read when the response has room for it.
    async function* chunks() {
      const record = await reads.run(userId, (_db, client) => read(client, userId));
      if (record === undefined) throw new HttpError(404, notFound);
      heldBytes = record.heldBytes;
      yield* record.chunks();
    }
    return sendStream(reply, {
      contentType: JSON_TYPE,
      budget,
      userId,
      chunks: chunks(),
      heldBytes: () => heldBytes,
    });
  };
  const sendTrace = (request: FastifyRequest, reply: FastifyReply, id: string, detail: RecordDetail) =>
    sendRecord(request, reply, "Trace not found", (client, userId) => getTrace(client, userId, id, detail));

  app.get(
    "/api/traces",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your traces",
        querystring: listQuery,
        response: { 200: pageSchema("traces", traceRow) },
        errors: BUSY_ERRORS,
      },
    },
    async (request, reply) => {
      const { page, limit, sort = "newest", include, ...filter } = request.query;
      const userId = sessionOf(request).user.id;
      const { rows, total } = await reads.run(userId, (db) =>
        listTraces(db, userId, { page, limit, sort }, filter),
      );
      const chunks = readJsonChunks(reads, userId, rows, (chunk) =>
        listedTracesQuery(userId, chunk, include),
      );
      return sendStream(reply, {
        contentType: JSON_TYPE,
        budget,
        userId,
        chunks: pageChunks("traces", chunks, { page, limit, total }),
      });
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
        errors: TRACE_ERRORS,
      },
    },
    async (request, reply) => sendTrace(request, reply, request.params.id, "whole"),
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
        errors: TRACE_ERRORS,
      },
    },
    async (request, reply) => sendTrace(request, reply, request.params.id, "outline"),
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
          errors: { 404: [notFound], ...BUSY_ERRORS },
        },
      },
      async (request, reply) => {
        const { id: traceId = "", [parameter]: childId = "" } = request.params;
        return sendRecord(request, reply, notFound, async (client, userId) => {
          const child = await getChild(client, userId, traceId, { kind, id: childId });
          return child && { heldBytes: 0, chunks: () => [child] };
        });
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
        errors: TRACE_ERRORS,
      },
    },
    async (request) => {
      const userId = sessionOf(request).user.id;
      const isDeleted = await writes.run(userId, (db) =>
        deleteTrace({ db, live }, userId, request.params.id),
      );
      if (!isDeleted) throw new HttpError(404, "Trace not found");
      return SUCCESS;
    },
  );
}
