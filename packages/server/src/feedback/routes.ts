import { feedbackSecret, mintFeedbackToken } from "@whytrace/contract";
import { createdFeedbackToken, feedback, newFeedbackToken } from "@whytrace/contract/schemas/feedback";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import type { FastifyRequest } from "fastify";
import { hashKey } from "../api-keys/key-format.ts";
import { scopeErrors } from "../api-keys/require-scope.ts";
import type { Reconciler } from "../billing/reconciler.ts";
import type { RateLimit } from "../config.ts";
import type { Connections } from "../db/connections.ts";
import type { App } from "../http/app-instance.ts";
import { openToAnyOrigin } from "../http/guard-cross-site.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { readBearer } from "../http/request/read-bearer.ts";
import { BODY_LIMIT_BYTES } from "../http/request/read-json.ts";
import { readSmallBody, tooLargeText } from "../http/request/read-small-body.ts";
import { WORKSPACE_RATE_ERRORS } from "../http/workspace-rate.ts";
import { INGEST_ERRORS } from "../ingest/ingest-errors.ts";
import { ingestGuards } from "../ingest/ingest-guards.ts";
import type { Intake } from "../ingest/intake.ts";
import { leaveBodies } from "../ingest/leave-bodies.ts";
import { readComment, readValue, readVote, VOTE_ERRORS } from "./read-vote.ts";
import { INVALID_TOKEN, requireFeedbackToken } from "./require-feedback-token.ts";
import { saveVote } from "./save-vote.ts";

const MAX_VOTE_BYTES = 8 * 1024;
/** Behind one address there may be a company, so a client may vote with many tokens. */
const TOKENS_PER_CLIENT = 20;

interface FeedbackRoutesOptions {
  connections: Connections;
  intake: Intake;
  reconciler: Reconciler;
  limiter: RateLimiter;
  limit: RateLimit;
}

/** Fastify refuses a content type that it cannot parse, and the body is JSON whatever the content type says. */
const ignoreContentType = async ({ raw }: FastifyRequest) => {
  delete raw.headers["content-type"];
};

/** Scores from web pages, which have a token instead of an API key. */
export function feedbackRoutes(
  app: App,
  { connections, intake, reconciler, limiter, limit }: FeedbackRoutesOptions,
) {
  const tags = ["Feedback"];

  app.post(
    "/api/feedback-tokens",
    {
      onRequest: ingestGuards({
        connections,
        rates: intake.rates,
        reconciler,
        maxBytes: BODY_LIMIT_BYTES,
        isUsageRequired: false,
      }),
      schema: {
        tags,
        summary: "Mint a feedback token",
        description:
          "A token lets its holder, for example a web page, set one score of one name on one trace, as source user, and nothing " +
          "else. The SDK mints tokens without this request. Nothing is stored. Revoking the key ends its tokens.",
        security: [{ apiKey: ["send"] }],
        body: newFeedbackToken,
        response: { 201: createdFeedbackToken },
        errors: {
          401: INGEST_ERRORS[401] ?? [],
          403: [...scopeErrors("send"), "No subscription found for this user"],
          429: Object.values(WORKSPACE_RATE_ERRORS),
        },
      },
    },
    async (request, reply) => {
      const { max = 0, author = "", expiresInSeconds, ...named } = request.body;
      const expiresAtSeconds = Math.floor(Date.now() / 1_000) + expiresInSeconds;
      const secret = feedbackSecret(hashKey(readBearer(request) ?? ""));
      const token = mintFeedbackToken(secret, { ...named, max, author, expiresAtSeconds });
      reply.code(201);
      return { token, expiresAt: new Date(expiresAtSeconds * 1_000).toISOString() };
    },
  );

  app.register(async (scope: App) => {
    leaveBodies(scope);
    scope.post(
      "/api/feedback",
      {
        config: openToAnyOrigin,
        onRequest: ignoreContentType,
        schema: {
          tags,
          summary: "Vote with a feedback token",
          description:
            "Sets the score of the token, replaces it, or takes it back. Pages of every origin may call it: any content type is " +
            "read as JSON, so neither navigator.sendBeacon nor fetch needs a preflight request, and cookies are not read. The " +
            "response does not say whether the trace exists.",
          describedBody: feedback,
          response: { 200: successSchema },
          errors: {
            413: [tooLargeText(MAX_VOTE_BYTES)],
            400: VOTE_ERRORS,
            401: [INVALID_TOKEN],
            ...RATE_LIMIT_ERRORS,
          },
        },
      },
      async (request) => {
        const sent = readVote(await readSmallBody(request, MAX_VOTE_BYTES));
        const granted = await requireFeedbackToken(connections.account, sent.token);
        const comment = readComment(sent.comment);
        const value = readValue(sent.value, granted.max);
        await limiter.admitCaller("feedback", limit, sent.token, request.ip, TOKENS_PER_CLIENT);
        await saveVote(intake.scores, granted, { value, comment });
        return SUCCESS;
      },
    );
    scope.options(
      "/api/feedback",
      { config: openToAnyOrigin, schema: { hide: true } },
      async (_request, reply) => reply.code(204).send(),
    );
  });
}
