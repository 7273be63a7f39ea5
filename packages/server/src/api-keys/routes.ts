import { apiKeyList, createdApiKey, newApiKey } from "@whytrace/contract/schemas/api-keys";
import { EXPIRES_IN_THE_PAST } from "@whytrace/contract/schemas/future-date";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import { originOf } from "../auth/origin-of.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { createApiKey, TOO_MANY_KEYS, TOO_MANY_KEYS_OF_ALL } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { NOT_YOUR_KEY, revokeApiKey } from "./revoke-api-key.ts";

export function apiKeyRoutes(app: App, { db, guard }: { db: Database; guard: SessionGuard }) {
  const onRequest = guard;
  const tags = ["API keys"];

  app.post(
    "/api/keys",
    {
      onRequest,
      schema: {
        tags,
        summary: "Create an API key",
        description: "Only this response contains the key itself.",
        body: newApiKey,
        response: { 201: createdApiKey },
        errors: {
          400: [EXPIRES_IN_THE_PAST],
          409: [TOO_MANY_KEYS, TOO_MANY_KEYS_OF_ALL],
        },
      },
    },
    async (request, reply) => {
      const { expiresAt: expiresAtMs, ...rest } = request.body;
      const created = await createApiKey(db, memberOf(request), { ...rest, expiresAtMs }, originOf(request));
      return reply.code(201).send(created);
    },
  );

  app.get(
    "/api/keys",
    {
      onRequest,
      schema: { tags, summary: "List the API keys of the workspace", response: { 200: apiKeyList } },
    },
    async (request) => ({ keys: await listApiKeys(db, memberOf(request).workspaceId) }),
  );

  app.delete(
    "/api/keys/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Revoke an API key",
        params: z.object({ id: z.string() }),
        response: { 200: successSchema },
        errors: { 403: [NOT_YOUR_KEY], 404: ["API key not found"] },
      },
    },
    async (request) => {
      const isRevoked = await revokeApiKey(db, memberOf(request), request.params.id, originOf(request));
      if (!isRevoked) throw new HttpError(404, "API key not found");
      return SUCCESS;
    },
  );
}
