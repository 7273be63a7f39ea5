import { deletedAccount } from "@whytrace/contract/schemas/accounts";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import { admitPasswordCheck, checkPassword } from "../accounts/check-password.ts";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { refuseSlowly } from "../http/refuse-slowly.ts";
import { sendStream } from "../http/send-stream.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";

export interface AccountDataRoutesOptions {
  db: Database;
  reads: FairDatabase;
  budget: ReadBudget;
  config: Config;
  limiter: RateLimiter;
  passwords: Passwords;
  cookie: SessionCookie;
  guard: SessionGuard;
  credentials: CredentialWatch;
}

export function accountDataRoutes(
  app: App,
  { db, reads, budget, config, limiter, passwords, cookie, guard, credentials }: AccountDataRoutesOptions,
) {
  const onRequest = guard;
  const tags = ["Account settings"];
  /** The users whose export is running in this process. */
  const exporting = new Set<string>();

  app.get(
    "/api/account/export",
    {
      onRequest,
      // A response to HEAD would read the whole account for nobody.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Export all your data as NDJSON",
        description:
          "Each line is a JSON object with a `kind`: `user`, `subscription`, `retention`, `apiKey`, `priceRule`, " +
          "`savedView`, `link` (of a shared trace), `decisionRule`, `session`, `decisionSetAside`, `verdict` and `trace`. " +
          "Secrets are not exported: passwords, API keys and the tokens of links are stored as hashes only. The last " +
          "line has the kind `end`. If your session ends, the download breaks off without it. You can run one export at " +
          "a time.",
        response: {
          200: {
            description: "One record per line",
            content: { "application/x-ndjson": { schema: z.string() } },
          },
        },
        errors: { 429: ["An export of your data is already running", ...BUSY_ERRORS[429]] },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const { workspaceId } = session;
      if (exporting.has(workspaceId)) await refuseSlowly("An export of your data is already running", 10);
      exporting.add(workspaceId);
      try {
        return await sendStream(reply, {
          contentType: "application/x-ndjson",
          headers: { "content-disposition": 'attachment; filename="whytrace-export.ndjson"' },
          budget,
          caller: workspaceId,
          permission: credentials.permission(session.id),
          chunks: exportAccount({ db, reads }, session),
        });
      } finally {
        exporting.delete(workspaceId);
      }
    },
  );

  app.delete(
    "/api/account",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete your account and all its data permanently",
        description:
          "Nobody can sign in or send traces from then on. Your traces are deleted before the response or, if there " +
          "are very many, in the minutes after it.",
        body: deletedAccount,
        response: { 200: successSchema },
        errors: { 401: ["Current password is incorrect"], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      await admitPasswordCheck(limiter, config.rateLimits.login, session);
      await checkPassword(db, passwords, session.user.id, request.body.password);
      await deleteAccount({ db, log: request.log }, session);
      cookie.clear(reply);
      return SUCCESS;
    },
  );
}
