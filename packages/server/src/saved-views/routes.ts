import {
  changedSavedView,
  newSavedView,
  savedView,
  savedViewList,
} from "@whytrace/contract/schemas/saved-views";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import type { Guards } from "../api-keys/guards.ts";
import { callerOf } from "../api-keys/guards.ts";
import { originOf } from "../auth/origin-of.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { changeSavedView, NOT_YOUR_VIEW } from "./change-saved-view.ts";
import { createSavedView, MAX_SAVED_VIEWS_PER_WORKSPACE } from "./create-saved-view.ts";
import { deleteSavedView } from "./delete-saved-view.ts";
import { listSavedViews } from "./list-saved-views.ts";

const id = z.object({ id: z.string() });
const NOT_FOUND = { 403: [NOT_YOUR_VIEW], 404: ["Saved view not found"] };

/** A workspace's named views of the list of traces. */
export function savedViewRoutes(app: App, { db, guards }: { db: Database; guards: Guards }) {
  const onRequest = guards.session;
  const tags = ["Saved views"];

  app.get(
    "/api/views",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "List your saved views, by name",
        response: { 200: savedViewList },
      },
    },
    async (request) => {
      const { workspaceId, userId } = callerOf(request);
      return { views: await listSavedViews(db, workspaceId, userId) };
    },
  );

  app.post(
    "/api/views",
    {
      onRequest,
      schema: {
        tags,
        summary: "Save a view of the list of traces",
        body: newSavedView,
        response: { 201: savedView },
        errors: {
          409: [
            `Saved view limit reached (${MAX_SAVED_VIEWS_PER_WORKSPACE}). Delete one that you do not need.`,
          ],
        },
      },
    },
    async (request, reply) => {
      reply.status(201);
      return createSavedView(db, memberOf(request), request.body);
    },
  );

  app.patch(
    "/api/views/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Rename a saved view, change its query, or make it the default",
        description:
          "At most one view is your default: the one before it no longer is. Others have defaults of their own.",
        params: id,
        body: changedSavedView,
        response: { 200: savedView },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      const { name, query, isDefault } = request.body;
      const view = await changeSavedView(db, memberOf(request), request.params.id, {
        ...(name !== undefined && { name }),
        ...(query !== undefined && { query }),
        ...(isDefault !== undefined && { isDefault }),
      });
      if (!view) throw new HttpError(404, "Saved view not found");
      return view;
    },
  );

  app.delete(
    "/api/views/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete a saved view",
        params: id,
        response: { 200: successSchema },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      if (!(await deleteSavedView(db, memberOf(request), request.params.id, originOf(request))))
        throw new HttpError(404, "Saved view not found");
      return SUCCESS;
    },
  );
}
