import { NO_ERROR_TO_EXPLAIN } from "@whytrace/contract";
import { EXPIRES_IN_THE_PAST } from "@whytrace/contract/schemas/future-date";
import { createdShare, newShare, shareList } from "@whytrace/contract/schemas/shares";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import type { Guards } from "../api-keys/guards.ts";
import { originOf } from "../auth/origin-of.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import type { BlameResources } from "../insights/blame/explain-error.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { createShare, TOO_MANY_SHARES } from "./create-share.ts";
import { listShares } from "./list-shares.ts";
import { NOT_YOUR_LINK, revokeShare } from "./revoke-share.ts";

interface ShareRoutesOptions extends BlameResources {
  db: Database;
  guards: Guards;
  publicUrl: string;
}

/** Manages the links of the signed-in user. */
export function shareRoutes(app: App, { db, reads, days, learner, guards, publicUrl }: ShareRoutesOptions) {
  const onRequest = guards.session;
  const tags = ["Links"];

  app.post(
    "/api/traces/:id/shares",
    {
      onRequest,
      schema: {
        tags,
        summary: "Create a secret link to a trace",
        description:
          "Everybody who has the link can read this trace, without an account, and nothing else of yours. Only this " +
          "response contains the link. It ends when it expires, when you revoke it, and when the trace is deleted. With why, " +
          "what explains the run is computed now and kept with the link.",
        params: z.object({ id: z.string() }),
        body: newShare,
        response: { 201: createdShare },
        errors: {
          400: [EXPIRES_IN_THE_PAST, NO_ERROR_TO_EXPLAIN],
          404: ["Trace not found"],
          409: [TOO_MANY_SHARES],
          ...BUSY_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { payloads: hasPayloads, why: hasWhy, expiresAt: expiresAtMs } = request.body;
      const { id: traceId } = request.params;
      const wanted = { traceId, hasPayloads, hasWhy, expiresAtMs };
      const resources = { db, reads, days, learner };
      const made = await createShare(resources, memberOf(request), wanted, originOf(request));
      if (!made) throw new HttpError(404, "Trace not found");
      const { token, ...rest } = made;
      return reply.code(201).send({ ...rest, url: new URL(`/shared/${token}`, publicUrl).href });
    },
  );

  app.get(
    "/api/shares",
    {
      onRequest,
      schema: {
        tags,
        summary: "List the links of the workspace, newest first",
        description: "Links that expired stay in the list for 30 days.",
        response: { 200: shareList },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => ({ shares: await listShares({ db, reads }, memberOf(request).workspaceId) }),
  );

  app.delete(
    "/api/shares/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Revoke a link",
        params: z.object({ id: z.string() }),
        response: { 200: successSchema },
        errors: { 403: [NOT_YOUR_LINK], 404: ["Link not found"] },
      },
    },
    async (request) => {
      if (!(await revokeShare(db, memberOf(request), request.params.id, originOf(request))))
        throw new HttpError(404, "Link not found");
      return SUCCESS;
    },
  );
}
