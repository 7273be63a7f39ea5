import { newWorkspace, workspace } from "@whytrace/contract/schemas/workspaces/workspaces";
import { originOf } from "../auth/origin-of.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import { UNVERIFIED } from "../auth/require-verified.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { CREATION_CLOSED, openWorkspace, tooManyOwned } from "./open-workspace.ts";

/** The creation of a workspace, which comes with a plan. */
export function newWorkspaceRoute(
  app: App,
  { db, config, guard }: { db: Database; config: Config; guard: SessionGuard },
) {
  app.post(
    "/api/workspaces",
    {
      onRequest: guard,
      schema: {
        tags: ["Workspaces"],
        summary: "Create a workspace",
        description: "You become its owner.",
        body: newWorkspace,
        response: { 201: workspace },
        errors: { 403: [CREATION_CLOSED, UNVERIFIED], 409: [tooManyOwned("<limit>")] },
      },
    },
    async (request, reply) => {
      const { user } = sessionOf(request);
      const created = await openWorkspace({ db, config }, user, request.body.name, originOf(request));
      return reply.code(201).send(created);
    },
  );
}
