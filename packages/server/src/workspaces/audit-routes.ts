import { parseInstant } from "@whytrace/contract";
import { auditPage } from "@whytrace/contract/schemas/workspaces/audit";
import { z } from "zod";
import { exportEvents, listEvents } from "../audit/read-events.ts";
import { recordEvent } from "../audit/record-event.ts";
import { originOf } from "../auth/origin-of.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { sendStream, type WatchPermission } from "../http/send-stream.ts";
import type { MemberSession } from "./member-session.ts";
import { memberOf } from "./require-member.ts";

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

const text = (description: string) => z.string().max(200).optional().describe(description);
const YEARS = "must be in the years 0001 to 9999, in UTC";
const instant = z.iso
  .datetime({ offset: true })
  .refine((given) => parseInstant(given) !== undefined, { error: YEARS });
const query = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  cursor: z.coerce.number().int().min(1).optional().describe("`nextCursor` of the page before"),
  action: text("For example member.role-changed"),
  actor: text("The id of a user or key"),
  from: instant.optional(),
  to: instant.optional(),
});

interface AuditRoutesOptions {
  db: Database;
  budget: ReadBudget;
  guard: SessionGuard;
  permissionOf: (member: MemberSession) => WatchPermission;
}

/** What was done in a workspace. Events are read, and never changed. */
export function auditRoutes(app: App, { db, budget, guard, permissionOf }: AuditRoutesOptions) {
  const onRequest = guard;
  const tags = ["Audit log"];

  app.get(
    "/api/audit",
    {
      onRequest,
      schema: {
        tags,
        summary: "List what was done in the workspace, newest first",
        querystring: query,
        response: { 200: auditPage },
      },
    },
    async (request) => {
      const { workspaceId, user } = memberOf(request);
      const { cursor, ...filter } = request.query;
      return listEvents(db, workspaceId, user.id, { ...filter, before: cursor });
    },
  );

  app.get(
    "/api/audit/export",
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Export the audit log as NDJSON, oldest first",
        description:
          "Each line has the `kind` event, the last one `end` with the number of events. The export is an event itself.",
        response: {
          200: {
            description: "One event per line",
            content: { "application/x-ndjson": { schema: z.string() } },
          },
        },
        errors: BUSY_ERRORS,
      },
    },
    async (request, reply) => {
      const member = memberOf(request);
      const { workspaceId, user } = member;
      await recordEvent(db, workspaceId, originOf(request), { action: "audit.exported" });
      return sendStream(reply, {
        contentType: "application/x-ndjson",
        headers: { "content-disposition": 'attachment; filename="whytrace-audit.ndjson"' },
        budget,
        caller: workspaceId,
        permission: permissionOf(member),
        chunks: exportEvents(db, workspaceId, user.id),
      });
    },
  );
}
