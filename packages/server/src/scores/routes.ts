import {
  SCORE_SOURCES,
  score,
  scoreBatch,
  scoreList,
  scoreNames,
  scoreSeries,
  scoreSummary,
  scoreValues,
  storedScores,
} from "@whytrace/contract/schemas/scores";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import { scopeErrors } from "../api-keys/require-scope.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import type { Reconciler } from "../billing/reconciler.ts";
import type { Connections } from "../db/connections.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { dateParam, enumParam, limitParam, pageParam, textParam } from "../http/request/query-params.ts";
import type { ErrorTexts } from "../http/route-schema.ts";
import { sendStream } from "../http/send-stream.ts";
import { WORKSPACE_RATE_ERRORS } from "../http/workspace-rate.ts";
import { sendJson, writePage } from "../http/write-json.ts";
import { INGEST_ERRORS } from "../ingest/ingest-errors.ts";
import type { Intake } from "../ingest/intake.ts";
import { MAX_DEPTH, MAX_VALUES } from "../ingest/json-errors.ts";
import { leaveBodies } from "../ingest/leave-bodies.ts";
import {
  describeRange,
  parseDayRange,
  RANGE_DESCRIPTION,
  RANGE_ERRORS,
  rangeParams,
} from "../insights/insights-range.ts";
import { PART_OF_TRACE } from "../trace-store/scores/delete-score.ts";
import { TOO_MANY_OF_TRACE, TOO_MANY_WAITING } from "../trace-store/scores/store-scores.ts";
import { exportScores } from "./export-scores.ts";
import { listScoreNames } from "./list-score-names.ts";
import { getScore, listScores } from "./list-scores.ts";
import { SCORE_ERRORS } from "./parse-scores.ts";
import { readScoreSeries } from "./read-score-series.ts";
import { readScoreValues } from "./read-score-values.ts";
import { type ScoreGuardOptions, scoreGuard, scoreSenderOf } from "./score-guard.ts";
import { summariseScores } from "./summarise-scores.ts";

const FORMAT = { maxBytes: 10 * 1024 * 1024, invalidText: "Invalid JSON in request body" };

const DESCRIPTION = [
  "A score is one judgement of a run, a span or a decision: by a user, a judge, a check or a person. All scores of a request " +
    "are stored, or none of them, before the response is sent.",
  "Order and repetition do not matter. Of two scores with one id, the one with the later timestamp stands, whichever came " +
    "first. Without an id, the same author who judges the same place again replaces the score.",
  "A score may come before its trace, or months later. One without a trace waits for 30 days. Deleting a trace deletes its " +
    "scores; sending it again keeps them.",
  "Scores do not count towards the limit of your plan. The limits of requests and bytes per minute are those of traces.",
].join("\n\n");

const { 401: unauthorized = [], 413: tooLarge = [], 415: encoding = [], 408: slow = [] } = INGEST_ERRORS;
const STORE_ERRORS: ErrorTexts = {
  401: [...unauthorized, "Unauthorized"],
  413: tooLarge,
  403: [
    ...scopeErrors("send").filter((text) => text.includes("can read traces")),
    "No subscription found for this user",
  ],
  429: [...Object.values(WORKSPACE_RATE_ERRORS), ...BUSY_ERRORS[429], TOO_MANY_WAITING],
  415: encoding,
  408: slow,
  400: [
    "Request body was cut off",
    "Invalid JSON in request body",
    `Request body must have at most ${MAX_VALUES} JSON values`,
    `Request body must be at most ${MAX_DEPTH} levels deep`,
    ...SCORE_ERRORS,
  ],
  409: [TOO_MANY_OF_TRACE],
};

const listQuery = z.object({
  page: pageParam,
  limit: limitParam,
  traceId: textParam("Only scores of this trace"),
  name: textParam("Only scores with this name"),
  source: enumParam("source", SCORE_SOURCES, "Only scores of this source"),
  author: textParam("Only scores of this author"),
  agent: textParam("Only scores of traces with this name; numbers and ids in it do not matter"),
  dateFrom: dateParam("dateFrom", "Only scores given (timestamp) at this time or later, an ISO 8601 date"),
  dateTo: dateParam("dateTo", "Only scores given at this time or earlier"),
});
const namesQuery = z.object({
  agent: textParam("Only scores of traces with this name; numbers and ids in it do not matter"),
});
const NAME_REQUIRED = "name is required";
const seriesQuery = z.object({
  name: textParam("The name of the scores"),
  agent: textParam("Only runs with this name; numbers and ids in it do not matter"),
  ...rangeParams,
});
const summaryQuery = seriesQuery.omit({ name: true });
const id = z.object({ id: z.string() });
const NOT_FOUND = "Score not found";

interface ScoreRoutesOptions {
  connections: Connections;
  intake: Intake;
  reconciler: Reconciler;
  budget: ReadBudget;
  guards: Guards;
  cookie: SessionCookie;
  slugOf: ScoreGuardOptions["slugOf"];
  credentials: CredentialWatch;
}

/** Judgements of runs, spans and decisions. */
export function scoreRoutes(
  app: App,
  { connections, intake, reconciler, budget, guards, cookie, slugOf, credentials }: ScoreRoutesOptions,
) {
  const { reads } = connections;
  const { maxBytes } = FORMAT;
  const onRequest = guards.read;
  const tags = ["Scores"];

  app.register(async (scope: App) => {
    leaveBodies(scope);
    scope.post(
      "/api/scores",
      {
        onRequest: scoreGuard({
          connections,
          rates: intake.rates,
          reconciler,
          maxBytes,
          cookie,
          session: guards.session,
          slugOf,
        }),
        schema: {
          tags,
          summary: "Store scores, or replace them",
          description: DESCRIPTION,
          security: [{ session: [] }, { apiKey: ["send"] }, { apiKey: ["review"] }],
          describedBody: scoreBatch,
          response: { 200: storedScores },
          errors: STORE_ERRORS,
        },
      },
      async (request) => {
        const { personId, ...sender } = scoreSenderOf(request);
        const job = { kind: "scores", personId } as const;
        const { count, ids = [] } = await intake.receive(request, sender, job, FORMAT);
        return { success: true as const, count, ids };
      },
    );
  });

  app.get(
    "/api/scores",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your scores, newest first",
        querystring: listQuery,
        response: { 200: scoreList },
        errors: BUSY_ERRORS,
      },
    },
    async (request, reply) => {
      const workspaceId = callerOf(request).workspaceId;
      const { page, limit } = request.query;
      const { scores, total } = await reads.run(workspaceId, (db) =>
        listScores(db, workspaceId, request.query),
      );
      return sendJson(reply, writePage("scores", scores, { total, page, limit }));
    },
  );

  app.get(
    "/api/scores/names",
    {
      onRequest,
      schema: {
        tags,
        summary: "List the names of your scores, with what came under each",
        querystring: namesQuery,
        response: { 200: scoreNames },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      return reads.run(workspaceId, (db) => listScoreNames(db, workspaceId, request.query.agent));
    },
  );

  app.get(
    "/api/scores/series",
    {
      onRequest,
      schema: {
        tags,
        summary: "Follow the scores of one name, day by day",
        description: RANGE_DESCRIPTION,
        querystring: seriesQuery,
        response: { 200: scoreSeries },
        errors: { 400: [NAME_REQUIRED, ...RANGE_ERRORS], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { name, agent, ...dates } = request.query;
      if (name === undefined) throw new HttpError(400, NAME_REQUIRED);
      const range = parseDayRange(dates);
      const workspaceId = callerOf(request).workspaceId;
      return {
        days: await reads.run(workspaceId, (db) => readScoreSeries(db, workspaceId, { name, agent, range })),
      };
    },
  );

  app.get(
    "/api/scores/summary",
    {
      onRequest,
      schema: {
        tags,
        summary: "Summarise your scores by name, and day by day",
        description: RANGE_DESCRIPTION,
        querystring: summaryQuery,
        response: { 200: scoreSummary },
        errors: { 400: RANGE_ERRORS, ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { agent, ...dates } = request.query;
      const range = parseDayRange(dates);
      const workspaceId = callerOf(request).workspaceId;
      const summary = await reads.run(workspaceId, (db) =>
        summariseScores(db, workspaceId, { agent, range }),
      );
      return { ...describeRange(range, { daysLeft: 0 }), ...summary };
    },
  );

  app.get(
    "/api/scores/values",
    {
      onRequest,
      schema: {
        tags,
        summary: "Count what was said under one name, and by which judges",
        description: RANGE_DESCRIPTION,
        querystring: seriesQuery,
        response: { 200: scoreValues },
        errors: { 400: [NAME_REQUIRED, ...RANGE_ERRORS], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { name, agent, ...dates } = request.query;
      if (name === undefined) throw new HttpError(400, NAME_REQUIRED);
      const range = parseDayRange(dates);
      const workspaceId = callerOf(request).workspaceId;
      return reads.run(workspaceId, (db) => readScoreValues(db, workspaceId, { name, agent, range }));
    },
  );

  app.get(
    "/api/scores/export",
    {
      onRequest,
      // A response to HEAD would read all scores for nobody.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Export your scores as JSON Lines",
        description:
          "Oldest first, one JSON object per line. If your session or key ends, the download breaks off.",
        response: {
          200: {
            description: "One score per line",
            content: { "application/x-ndjson": { schema: z.string() } },
          },
        },
        errors: BUSY_ERRORS,
      },
    },
    async (request, reply) => {
      const { workspaceId, credentialId } = callerOf(request);
      return sendStream(reply, {
        contentType: "application/x-ndjson",
        headers: { "content-disposition": 'attachment; filename="whytrace-scores.jsonl"' },
        budget,
        caller: workspaceId,
        permission: credentials.permission(credentialId),
        chunks: exportScores(reads, workspaceId),
      });
    },
  );

  app.get(
    "/api/scores/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get one score",
        params: id,
        response: { 200: score },
        errors: { 404: [NOT_FOUND], ...BUSY_ERRORS },
      },
    },
    async (request, reply) => {
      const workspaceId = callerOf(request).workspaceId;
      const json = await reads.run(workspaceId, (db) => getScore(db, workspaceId, request.params.id));
      if (json === undefined) throw new HttpError(404, NOT_FOUND);
      return sendJson(reply, json);
    },
  );

  app.delete(
    "/api/scores/:id",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Take a score back",
        params: id,
        response: { 200: successSchema },
        errors: { 404: [NOT_FOUND], 409: [PART_OF_TRACE], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      if (!(await intake.scores.delete(workspaceId, request.params.id))) throw new HttpError(404, NOT_FOUND);
      return SUCCESS;
    },
  );
}
