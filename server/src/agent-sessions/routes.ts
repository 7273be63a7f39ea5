import { STATUSES } from "@whytrace/contract";
import { z } from "zod";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { SUM_LIMIT } from "../db/with-sums.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { pageSchema } from "../http/page-schema.ts";
import { limitParam, pageParam } from "../http/query-params.ts";
import { sendJson, writePage } from "../http/write-json.ts";
import { getAgentSession, listAgentSessions } from "./agent-sessions.ts";

const amount = z
  .number()
  .nullable()
  .describe(`The sum over the session's traces; null if none has a value. ${SUM_LIMIT}`);
const agentSession = z.object({
  sessionId: z.string(),
  traceCount: z.number().int(),
  totalCost: amount,
  totalTokens: amount,
  totalDuration: amount,
  firstStartedAt: z.iso.datetime(),
  lastStartedAt: z.iso.datetime(),
  status: z
    .enum(STATUSES)
    .describe("ERROR if any trace failed, else RUNNING if any is running, else COMPLETED"),
  agents: z.array(z.string()).describe("The names of its earliest traces, each once; at most 4"),
  firstRequest: z
    .string()
    .nullable()
    .describe(
      "What its first trace was asked, in one line of at most 200 characters: taken from the input of the trace's first span, or from its metadata",
    ),
});

export function agentSessionRoutes(app: App, { reads, guards }: { reads: FairDatabase; guards: Guards }) {
  const onRequest = guards.read;
  const tags = ["Sessions"];

  app.get(
    "/api/sessions",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your agents' sessions, most recently active first",
        querystring: z.object({ page: pageParam, limit: limitParam }),
        response: { 200: pageSchema("sessions", agentSession) },
        errors: BUSY_ERRORS,
      },
    },
    async (request, reply) => {
      const userId = callerOf(request).userId;
      const { sessions, total } = await reads.run(userId, (db) =>
        listAgentSessions(db, userId, request.query),
      );
      return sendJson(
        reply,
        writePage(
          "sessions",
          sessions.map((session) => JSON.stringify(session)),
          { ...request.query, total },
        ),
      );
    },
  );

  app.get(
    "/api/sessions/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get one session; list its traces with GET /api/traces?sessionId=",
        params: z.object({ id: z.string() }),
        response: { 200: agentSession },
        errors: { 404: ["Session not found"], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const userId = callerOf(request).userId;
      const session = await reads.run(userId, (db) => getAgentSession(db, userId, request.params.id));
      if (!session) throw new HttpError(404, "Session not found");
      return session;
    },
  );
}
