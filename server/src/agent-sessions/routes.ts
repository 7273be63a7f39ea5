import { STATUSES } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { pageSchema } from "../http/page-schema.ts";
import { limitParam, pageParam } from "../http/query-params.ts";
import { sendJson, writePage } from "../http/write-json.ts";
import { getAgentSession, listAgentSessions } from "./agent-sessions.ts";

const amount = z.number().nullable();
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
});

export function agentSessionRoutes(app: App, { db, guard }: { db: Database; guard: SessionGuard }) {
  const onRequest = guard;
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
      },
    },
    async (request, reply) => {
      const { sessions, total } = await listAgentSessions(db, sessionOf(request).user.id, request.query);
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
        errors: { 404: ["Session not found"] },
      },
    },
    async (request) => {
      const session = await getAgentSession(db, sessionOf(request).user.id, request.params.id);
      if (!session) throw new HttpError(404, "Session not found");
      return session;
    },
  );
}
