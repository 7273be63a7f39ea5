import {
  currentWorkspace,
  renamedWorkspace,
  workspaceList,
  workspaceOfTrace,
} from "@whytrace/contract/schemas/workspaces/workspaces";
import { z } from "zod";
import { originOf } from "../auth/origin-of.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { findTraceWorkspace } from "./find-trace-workspace.ts";
import { listWorkspaces } from "./list-workspaces.ts";
import { readWorkspace } from "./read-workspace.ts";
import { renameWorkspace } from "./rename-workspace.ts";
import { memberOf } from "./require-member.ts";

export function workspaceRoutes(app: App, { db, guard }: { db: Database; guard: SessionGuard }) {
  const onRequest = guard;
  const tags = ["Workspaces"];

  app.get(
    "/api/workspaces",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your workspaces",
        description: "Oldest membership first.",
        response: { 200: workspaceList },
      },
    },
    async (request) => ({ workspaces: await listWorkspaces(db, sessionOf(request)) }),
  );

  app.get(
    "/api/workspace",
    {
      onRequest,
      schema: { tags, summary: "Get the workspace", response: { 200: currentWorkspace } },
    },
    async (request) => readWorkspace(db, memberOf(request)),
  );

  app.patch(
    "/api/workspace",
    {
      onRequest,
      schema: {
        tags,
        summary: "Rename the workspace",
        body: renamedWorkspace,
        response: { 200: currentWorkspace },
      },
    },
    async (request) => {
      const member = memberOf(request);
      await renameWorkspace(db, member, request.body.name, originOf(request));
      return readWorkspace(db, member);
    },
  );

  app.get(
    "/api/traces/:id/workspace",
    {
      onRequest,
      schema: {
        tags,
        summary: "Find out which of your workspaces has a trace",
        params: z.object({ id: z.string() }),
        response: { 200: workspaceOfTrace },
        errors: { 404: ["Trace not found"] },
      },
    },
    async (request) => {
      const workspace = await findTraceWorkspace(db, sessionOf(request).user.id, request.params.id);
      if (!workspace) throw new HttpError(404, "Trace not found");
      return { workspace };
    },
  );
}
