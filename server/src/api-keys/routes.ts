import { MAX_API_KEYS_PER_WORKSPACE } from "@whytrace/contract";
import { apiKeyList, createdApiKey, newApiKey } from "@whytrace/contract/schemas/api-keys";
import { EXPIRES_IN_THE_PAST } from "@whytrace/contract/schemas/future-date";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

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
          409: [`API key limit reached (${MAX_API_KEYS_PER_WORKSPACE})`],
        },
      },
    },
    async (request, reply) => {
      const { expiresAt: expiresAtMs, ...rest } = request.body;
      const created = await createApiKey(db, sessionOf(request), { ...rest, expiresAtMs });
      return reply.code(201).send(created);
    },
  );

  app.get(
    "/api/keys",
    {
      onRequest,
      schema: { tags, summary: "List your API keys", response: { 200: apiKeyList } },
    },
    async (request) => ({ keys: await listApiKeys(db, sessionOf(request).workspaceId) }),
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
        errors: { 404: ["API key not found"] },
      },
    },
    async (request) => {
      const isRevoked = await revokeApiKey(db, sessionOf(request).workspaceId, request.params.id);
      if (!isRevoked) throw new HttpError(404, "API key not found");
      return SUCCESS;
    },
  );
}
