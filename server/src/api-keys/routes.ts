import { MAX_API_KEYS_PER_USER } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { plainText } from "../http/plain-text.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("First characters of the key, to identify it"),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe("Updated at most once a minute; null if never used"),
});
const createdApiKey = apiKey
  .omit({ lastUsedAt: true })
  .extend({ key: z.string().describe("The API key. It is shown only once: store it now") });

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
        body: z.object({ name: plainText(200).meta({ examples: ["my first agent"] }) }),
        response: { 201: createdApiKey },
        errors: { 409: [`API key limit reached (${MAX_API_KEYS_PER_USER})`] },
      },
    },
    async (request, reply) => {
      const created = await createApiKey(db, sessionOf(request), request.body.name);
      return reply.code(201).send(created);
    },
  );

  app.get(
    "/api/keys",
    {
      onRequest,
      schema: { tags, summary: "List your API keys", response: { 200: z.object({ keys: z.array(apiKey) }) } },
    },
    async (request) => ({ keys: await listApiKeys(db, sessionOf(request).user.id) }),
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
      const isRevoked = await revokeApiKey(db, sessionOf(request).user.id, request.params.id);
      if (!isRevoked) throw new HttpError(404, "API key not found");
      return SUCCESS;
    },
  );
}
