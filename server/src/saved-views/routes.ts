import { MAX_SAVED_VIEWS_PER_USER, MAX_VIEW_NAME_LENGTH, MAX_VIEW_QUERY_LENGTH } from "@whytrace/contract";
import { z } from "zod";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { plainText } from "../http/plain-text.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { changeSavedView } from "./change-saved-view.ts";
import { createSavedView } from "./create-saved-view.ts";
import { deleteSavedView } from "./delete-saved-view.ts";
import { listSavedViews } from "./list-saved-views.ts";

const QUERY =
  "The search parameters of the dashboard's list of traces, for example status=ERROR&sort=costliest";
const savedView = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string().describe(QUERY),
  isDefault: z.boolean().describe("Whether the list opens with this view"),
  createdAt: z.iso.datetime(),
});
const name = plainText(MAX_VIEW_NAME_LENGTH);
const query = plainText(MAX_VIEW_QUERY_LENGTH).describe(QUERY);
const id = z.object({ id: z.string() });
const NOT_FOUND = { 404: ["Saved view not found"] };

/** A user's named views of the list of traces. */
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
        response: { 200: z.object({ views: z.array(savedView) }) },
      },
    },
    async (request) => ({ views: await listSavedViews(db, callerOf(request).userId) }),
  );

  app.post(
    "/api/views",
    {
      onRequest,
      schema: {
        tags,
        summary: "Save a view of the list of traces",
        body: z.object({ name, query }),
        response: { 201: savedView },
        errors: {
          409: [`Saved view limit reached (${MAX_SAVED_VIEWS_PER_USER}). Delete one that you do not need.`],
        },
      },
    },
    async (request, reply) => {
      reply.status(201);
      return createSavedView(db, callerOf(request).userId, request.body);
    },
  );

  app.patch(
    "/api/views/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Rename a saved view, change its query, or make it the default",
        description: "At most one view is the default: the one before it no longer is.",
        params: id,
        body: z.object({ name: name.optional(), query: query.optional(), isDefault: z.boolean().optional() }),
        response: { 200: savedView },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      const { name: newName, query: newQuery, isDefault } = request.body;
      const view = await changeSavedView(db, callerOf(request).userId, request.params.id, {
        ...(newName !== undefined && { name: newName }),
        ...(newQuery !== undefined && { query: newQuery }),
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
      if (!(await deleteSavedView(db, callerOf(request).userId, request.params.id)))
        throw new HttpError(404, "Saved view not found");
      return SUCCESS;
    },
  );
}
