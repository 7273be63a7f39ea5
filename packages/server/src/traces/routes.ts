import { FILTER_FIELDS, TRACE_SORTS } from "@whytrace/contract";
import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import {
  filterValues,
  outline,
  traceList,
  tracePreviews,
  wholeTrace,
} from "@whytrace/contract/schemas/traces";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import type { Caller, Guards } from "../api-keys/guards.ts";
import { callerOf } from "../api-keys/guards.ts";
import { recordEvent } from "../audit/record-event.ts";
import { originOf } from "../auth/origin-of.ts";
import { readJsonChunks } from "../db/copy/read-json-chunks.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { idsParam } from "../http/request/ids-param.ts";
import type { ListPosition } from "../http/request/list-cursor.ts";
import {
  CURSOR_ORDER,
  cursorParam,
  cutPage,
  INVALID_CURSOR,
  readCursor,
  writeCursor,
} from "../http/request/list-cursor.ts";
import { enumParam, limitParam, numberParam, pageParam, textParam } from "../http/request/query-params.ts";
import { sendStream } from "../http/send-stream.ts";
import { JSON_TYPE, listChunks, pageChunks } from "../http/write-json.ts";
import type { Live } from "../live/live.ts";
import { deleteTrace } from "../trace-store/delete/delete-trace.ts";
import { hasTrace } from "../workspaces/find-trace-workspace.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { CHILD_RECORDS } from "./child-records.ts";
import { findTracesAfter } from "./find-traces-after.ts";
import { getChild } from "./get-child.ts";
import { getTrace } from "./get-trace.ts";
import { listFilterValues } from "./list-filter-values.ts";
import { INCLUDED_FIELDS, type IncludedField, listedTracesQuery, listTraces } from "./list-traces.ts";
import { PREVIEW_FIELDS, readTracePreviews } from "./previews/read-trace-previews.ts";
import { SCORE_NAME_REQUIRED } from "./score-conditions.ts";
import type { StoredRecord } from "./send-record.ts";
import { sendRecord } from "./send-record.ts";
import type { RecordDetail } from "./stored-record.ts";
import type { TraceFilter } from "./trace-filter.ts";
import { traceFilterParams } from "./trace-filter-params.ts";

const { status, ...otherFilters } = traceFilterParams;
const MAX_PREVIEWS = 100;
const PREVIEW_LENGTH = 200;
const MAX_PREVIEW_LENGTH = 2_000;
const FIELDS = `Invalid fields. Must be one of: ${PREVIEW_FIELDS.join(", ")}`;
const INCLUDE = `Invalid include. Must be one of: ${INCLUDED_FIELDS.join(", ")}`;
const INCLUDE_ABOUT =
  "Also return of each trace, separated by commas: the models that it called (models), its outcome and number of scores (outcome)";
/** Some of these names, separated by commas. */
const namesParam = <const Name extends string>(known: readonly Name[], description: string, error: string) =>
  textParam(description)
    .transform((text, context): Name[] =>
      (text ?? "")
        .split(",")
        .filter((name) => name !== "")
        .flatMap((name) => {
          const found = known.find((one) => one === name);
          if (found === undefined) context.addIssue(error);
          return found ?? [];
        }),
    )
    .meta({ type: "string", description })
    .register(fieldErrors, { texts: [error] });
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
  include: namesParam(INCLUDED_FIELDS, INCLUDE_ABOUT, INCLUDE),
  cursor: cursorParam,
});
const previewsQuery = z.object({
  ids: idsParam(MAX_PREVIEWS),
  fields: namesParam(
    PREVIEW_FIELDS,
    "What is wanted of each trace, separated by commas: its last error (error), what it was asked (input), what it answered (output)",
    FIELDS,
  ),
  length: numberParam(
    "length",
    `Cut off longer texts. Default: ${PREVIEW_LENGTH}, at most ${MAX_PREVIEW_LENGTH}`,
    {
      isInteger: true,
    },
  ),
});
const FIELD = `Invalid field. Must be one of: ${FILTER_FIELDS.join(", ")}`;
const valuesQuery = z.object({
  field: z
    .enum(FILTER_FIELDS, { error: FIELD })
    .meta({
      description: "The filter: agent, model, tag, session and metadata of traces, choice of decisions",
    })
    .register(fieldErrors, { texts: [FIELD] }),
});
const id = z.object({ id: z.string() });
const TRACE_ERRORS = { 404: ["Trace not found"], ...BUSY_ERRORS };

interface TraceRoutesOptions {
  db: Database;
  reads: FairDatabase;
  writes: FairDatabase;
  budget: ReadBudget;
  guards: Guards;
  credentials: CredentialWatch;
  live: Live;
}

interface TracesAfter {
  filter: TraceFilter;
  position: ListPosition;
  limit: number;
  include: readonly IncludedField[];
}

type ReadRecord = (workspaceId: WorkspaceId) => Promise<StoredRecord | undefined>;

export function traceRoutes(
  app: App,
  { db: directory, reads, writes, budget, guards, credentials, live }: TraceRoutesOptions,
) {
  const onRequest = guards.read;
  const tags = ["Traces"];
  const send = (request: FastifyRequest, reply: FastifyReply, notFound: string, read: ReadRecord) => {
    const { workspaceId, credentialId } = callerOf(request);
    return sendRecord(reply, {
      budget,
      caller: workspaceId,
      permission: credentials.permission(credentialId),
      notFound,
      read: () => read(workspaceId),
    });
  };
  const sendTrace = (request: FastifyRequest, reply: FastifyReply, id: string, detail: RecordDetail) =>
    send(request, reply, "Trace not found", (workspaceId) => getTrace(reads, workspaceId, id, detail));

  const sendAfter = async (reply: FastifyReply, { workspaceId, credentialId }: Caller, list: TracesAfter) => {
    const { filter, position, limit, include } = list;
    const lastId = position === "start" ? undefined : position[0];
    const found = await reads.run(workspaceId, (db) =>
      findTracesAfter(db, workspaceId, { filter, lastId, limit: limit + 1 }),
    );
    const { rows, nextCursor } = cutPage(found, limit, ({ id }) => writeCursor([id], filter));
    const chunks = readJsonChunks(reads, workspaceId, rows, (chunk) =>
      listedTracesQuery(workspaceId, chunk, include),
    );
    return sendStream(reply, {
      contentType: JSON_TYPE,
      budget,
      caller: workspaceId,
      permission: credentials.permission(credentialId),
      chunks: listChunks("traces", chunks, { limit, nextCursor }),
    });
  };

  app.get(
    "/api/traces",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your traces",
        querystring: listQuery,
        response: { 200: traceList },
        errors: { 400: [INVALID_CURSOR, CURSOR_ORDER, SCORE_NAME_REQUIRED], ...BUSY_ERRORS },
      },
    },
    async (request, reply) => {
      const { page, limit, sort = "newest", include, cursor, ...filter } = request.query;
      const caller = callerOf(request);
      const { workspaceId, credentialId } = caller;
      if (cursor !== undefined) {
        const position = readCursor({ ...request.query, cursor }, filter, 1);
        return sendAfter(reply, caller, { filter, position, limit, include });
      }
      const { rows, total } = await reads.run(workspaceId, (db) =>
        listTraces(db, workspaceId, { page, limit, sort }, filter),
      );
      const chunks = readJsonChunks(reads, workspaceId, rows, (chunk) =>
        listedTracesQuery(workspaceId, chunk, include),
      );
      return sendStream(reply, {
        contentType: JSON_TYPE,
        budget,
        caller: workspaceId,
        permission: credentials.permission(credentialId),
        chunks: pageChunks("traces", chunks, { page, limit, total }),
      });
    },
  );

  app.get(
    "/api/trace-previews",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get a line of text for each of some traces",
        description:
          "For rows of a list. What a trace was asked and answered is read from the " +
          "beginnings of its inputs and outputs; of a trace with over 2,000 spans it is not read, nor is the error of one with over 20,000.",
        querystring: previewsQuery,
        response: { 200: tracePreviews },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const { ids = [], fields } = request.query;
      const length = Math.min(request.query.length ?? PREVIEW_LENGTH, MAX_PREVIEW_LENGTH);
      const previews = await reads.run(workspaceId, (db) =>
        readTracePreviews(db, workspaceId, ids, { fields, length }),
      );
      return { previews };
    },
  );

  app.get(
    "/api/filter-values",
    {
      onRequest,
      schema: {
        tags,
        summary: "List values that a filter can have",
        description:
          "Those that occur in your newest traces, the most frequent first. A value of metadata is `key=value`.",
        querystring: valuesQuery,
        response: { 200: filterValues },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      return {
        values: await reads.run(workspaceId, (db) => listFilterValues(db, workspaceId, request.query.field)),
      };
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
        response: { 200: outline },
        errors: TRACE_ERRORS,
      },
    },
    async (request, reply) => sendTrace(request, reply, request.params.id, "outline"),
  );

  for (const { path, kind, parameter, schema, summary, notFound } of CHILD_RECORDS)
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
        return send(request, reply, notFound, async (workspaceId) => {
          const child = await reads.run(workspaceId, (_db, client) =>
            getChild(client, workspaceId, traceId, { kind, id: childId }),
          );
          return child && { heldBytes: 0, chunks: () => [child] };
        });
      },
    );

  app.delete(
    "/api/traces/:id",
    {
      onRequest: guards.session,
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
      const { workspaceId } = memberOf(request);
      const { id: traceId } = request.params;
      // First, because the trace may be on another node than the log: the event says what was asked for.
      if (await hasTrace(directory, workspaceId, traceId))
        await recordEvent(directory, workspaceId, originOf(request), {
          action: "trace.deleted",
          target: { kind: "trace", id: traceId, name: null },
        });
      const isDeleted = await writes.run(workspaceId, (db) =>
        deleteTrace({ db, live }, workspaceId, traceId),
      );
      if (!isDeleted) throw new HttpError(404, "Trace not found");
      return SUCCESS;
    },
  );
}
