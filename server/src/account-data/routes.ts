import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { checkPassword } from "../accounts/check-password.ts";
import { givenPassword } from "../accounts/credentials.ts";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { type RateLimiter, RATE_LIMIT_ERRORS } from "../http/rate-limit.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";

export interface AccountDataRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  passwords: Passwords;
  cookie: SessionCookie;
  guard: SessionGuard;
}

export function accountDataRoutes(
  app: App,
  { db, config, limiter, passwords, cookie, guard }: AccountDataRoutesOptions,
) {
  const onRequest = guard;
  const tags = ["Account settings"];

  app.get(
    "/api/account/export",
    {
      onRequest,
      schema: {
        tags,
        summary: "Everything you own, as NDJSON: a `kind` on every line, `end` on the last",
        response: {
          200: {
            description: "A record a line",
            content: { "application/x-ndjson": { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => download(reply, exportAccount(db, sessionOf(request))),
  );

  app.delete(
    "/api/account",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete your account and everything in it, for good",
        body: z.object({ password: givenPassword }),
        response: { 200: successSchema },
        errors: { 401: ["Current password is incorrect"], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      const { user } = sessionOf(request);
      await limiter.admitCaller("login", config.rateLimits.login, user.email, request.ip);
      await checkPassword(db, passwords, user.id, request.body.password);
      await deleteAccount(db, user);
      cookie.clear(reply);
      return SUCCESS;
    },
  );
}

const download = (reply: FastifyReply, lines: AsyncIterable<string>) =>
  reply
    .type("application/x-ndjson")
    .header("content-disposition", 'attachment; filename="whytrace-export.ndjson"')
    .send(Readable.from(lines));
