import { cliAnswer, cliCode, cliSession, newCliCode } from "@whytrace/contract/schemas/sign-in/cli";
import { originAs } from "../../auth/origin-of.ts";
import type { SessionGuard } from "../../auth/require-session.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { App } from "../../http/app-instance.ts";
import { HttpError } from "../../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../../http/rate-limit.ts";
import { memberOf } from "../../workspaces/require-member.ts";
import { createCliCode, useCliCode } from "./cli-codes.ts";

const INVALID_CODE = "Invalid or expired code";

interface CliRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  guard: SessionGuard;
}

/** Sign-in of the command line: the browser makes a code, and the command exchanges it for a session. */
export function cliRoutes(app: App, { db, config, limiter, guard }: CliRoutesOptions) {
  const tags = ["Accounts"];
  const { login } = config.rateLimits;
  const limit = { ...login, limit: login.limit * 10 };

  app.post(
    "/api/cli-codes",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Make a code for the command line",
        description:
          "For `whytrace login`, which waits for the code. It works once, for 2 minutes, and only for the command whose challenge it is.",
        body: newCliCode,
        response: { 201: cliCode },
        errors: RATE_LIMIT_ERRORS,
      },
    },
    async (request, reply) => {
      const member = memberOf(request);
      await limiter.admit([{ ...limit, name: "cli-codes", subject: member.user.id }]);
      reply.header("cache-control", "no-store");
      return reply.code(201).send(await createCliCode(db, member, request.body));
    },
  );

  app.post(
    "/api/auth/cli",
    {
      schema: {
        tags,
        summary: "Exchange a code for a session",
        description:
          "Returns the token of a session with the sign-in methods of the browser. It lasts 7 days, and is listed and ended like others. Send it as the session cookie.",
        body: cliAnswer,
        response: { 200: cliSession },
        errors: { 400: [INVALID_CODE], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      await limiter.admitClient("cli", limit, request.ip);
      const started = await useCliCode(db, request.body, (user) => originAs(request, user));
      if (!started) throw new HttpError(400, INVALID_CODE);
      reply.header("cache-control", "no-store");
      return started;
    },
  );
}
