import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { checkPassword } from "../accounts/check-password.ts";
import { submittedPassword } from "../accounts/credentials.ts";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
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
        summary: "Export all your data as NDJSON",
        description: "Each line is a JSON object with a `kind`. The last line has the kind `end`.",
        response: {
          200: {
            description: "One record per line",
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
        summary: "Delete your account and all its data permanently",
        body: z.object({ password: submittedPassword }),
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
