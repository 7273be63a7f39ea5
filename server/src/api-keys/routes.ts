import { API_KEY_SCOPES, MAX_API_KEYS_PER_USER } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { EXPIRES_IN_THE_PAST, futureDate } from "../http/future-date.ts";
import { HttpError } from "../http/http-error.ts";
import { plainText } from "../http/plain-text.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

const scope = z
  .enum(API_KEY_SCOPES)
  .describe(
    "What the key may do: send traces, read them, or review, which is to read them and write verdicts",
  );
const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("First characters of the key, to identify it"),
  scope,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable().describe("Null if the key does not expire"),
  isExpired: z.boolean(),
  lastUsedAt: z.iso.datetime().nullable().describe("Updated at most once a minute; null if never used"),
});
const newApiKey = z.object({
  name: plainText(200).meta({ examples: ["my first agent"] }),
  scope: scope.default("send"),
  expiresAt: futureDate
    .nullable()
    .default(null)
    .describe("From then on the key is refused; it stays in the list until you revoke it. Default: never"),
});
const createdApiKey = apiKey
  .omit({ lastUsedAt: true, isExpired: true })
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
        body: newApiKey,
        response: { 201: createdApiKey },
        errors: { 400: [EXPIRES_IN_THE_PAST], 409: [`API key limit reached (${MAX_API_KEYS_PER_USER})`] },
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
