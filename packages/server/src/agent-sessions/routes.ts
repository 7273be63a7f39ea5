import { agentSession, agentSessionPage } from "@whytrace/contract/schemas/agent-sessions";
import { z } from "zod";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { limitParam, pageParam } from "../http/request/query-params.ts";
import { sendJson, writePage } from "../http/write-json.ts";
import { getAgentSession, listAgentSessions } from "./agent-sessions.ts";

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
        response: { 200: agentSessionPage },
        errors: BUSY_ERRORS,
      },
    },
    async (request, reply) => {
      const workspaceId = callerOf(request).workspaceId;
      const { sessions, total } = await reads.run(workspaceId, (db) =>
        listAgentSessions(db, workspaceId, request.query),
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
      const workspaceId = callerOf(request).workspaceId;
      const session = await reads.run(workspaceId, (db) =>
        getAgentSession(db, workspaceId, request.params.id),
      );
      if (!session) throw new HttpError(404, "Session not found");
      return session;
    },
  );
}
