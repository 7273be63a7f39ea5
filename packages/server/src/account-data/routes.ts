import { deletedAccount } from "@whytrace/contract/schemas/accounts";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { deletedWorkspace } from "@whytrace/contract/schemas/workspaces/workspaces";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { admitPasswordCheck, checkCurrentPassword } from "../accounts/check-current-password.ts";
import { type CredentialWatch, memberCredential } from "../api-keys/credential-watch.ts";
import { recordEvent } from "../audit/record-event.ts";
import { readFactors } from "../auth/factors.ts";
import { originOf } from "../auth/origin-of.ts";
import type { Passwords } from "../auth/passwords.ts";
import { CONFIRM_ERRORS, requireConfirmed } from "../auth/require-confirmed.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { refuseSlowly } from "../http/refuse-slowly.ts";
import { type Streamed, sendStream } from "../http/send-stream.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { deleteAccount, onlyOwner } from "./delete-account.ts";
import { deleteNamedWorkspace, WRONG_NAME } from "./delete-workspace.ts";
import { exportAccount } from "./export-account.ts";
import { wholeWorkspace } from "./export-workspace.ts";

const EXPORT_RUNS = "An export of your data is already running";

const NO_PASSWORD = "password is required";

interface AccountDataRoutesOptions {
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
  /** The users and workspaces whose export is running in this process. */
  const exporting = new Set<string>();
  const sendExport = async (
    reply: FastifyReply,
    options: Pick<Streamed, "caller" | "permission" | "chunks">,
  ) => {
    const { caller } = options;
    if (exporting.has(caller)) await refuseSlowly(EXPORT_RUNS, 10);
    exporting.add(caller);
    try {
      return await sendStream(reply, {
        contentType: "application/x-ndjson",
        headers: { "content-disposition": 'attachment; filename="whytrace-export.ndjson"' },
        budget,
        ...options,
      });
    } finally {
      exporting.delete(caller);
    }
  };

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
          "Each line is a JSON object with a `kind`: `user`, `session`, `membership`, and then all of each workspace in " +
          "which you are the only member, as in the export of a workspace. Secrets are not exported: they are stored as " +
          "hashes only. The last line has the kind `end`. If your session ends, the download breaks off without it. You " +
          "can run one export at a time.",
        response: {
          200: {
            description: "One record per line",
            content: { "application/x-ndjson": { schema: z.string() } },
          },
        },
        errors: { 429: [EXPORT_RUNS, ...BUSY_ERRORS[429]] },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      return sendExport(reply, {
        caller: session.user.id,
        permission: credentials.permission(session.id),
        chunks: exportAccount({ db, reads, config }, session),
      });
    },
  );

  app.get(
    "/api/workspace/export",
    {
      onRequest,
      exposeHeadRoute: false,
      schema: {
        tags: ["Workspaces"],
        summary: "Export all data of the workspace as NDJSON",
        description:
          "Each line is a JSON object with a `kind`: `subscription`, `retention`, `apiKey`, `priceRule`, `savedView`, `link` " +
          "(of a shared trace), `decisionRule`, `decisionSetAside`, `verdict`, `trace` and others. Secrets are not exported. " +
          "The last line has the kind `end`. If your session or membership ends, the download breaks off without it. One " +
          "export of a workspace runs at a time.",
        response: {
          200: {
            description: "One record per line",
            content: { "application/x-ndjson": { schema: z.string() } },
          },
        },
        errors: { 429: [EXPORT_RUNS, ...BUSY_ERRORS[429]] },
      },
    },
    async (request, reply) => {
      const member = memberOf(request);
      await recordEvent(db, member.workspaceId, originOf(request), { action: "workspace.exported" });
      return sendExport(reply, {
        caller: member.workspaceId,
        permission: credentials.permission(memberCredential(member)),
        chunks: wholeWorkspace({ db, reads }, member.workspaceId),
      });
    },
  );

  app.delete(
    "/api/workspace",
    {
      onRequest,
      schema: {
        tags: ["Workspaces"],
        summary: "Delete the workspace and all its data permanently",
        description:
          "Nobody reaches the workspace from then on, and its keys end. Its traces are deleted before the response or, if " +
          "there are very many, in the minutes after it.",
        body: deletedWorkspace,
        response: { 200: successSchema },
        errors: { 400: [WRONG_NAME], ...CONFIRM_ERRORS },
      },
    },
    async (request) => {
      await requireConfirmed(request);
      await deleteNamedWorkspace({ db, log: request.log }, memberOf(request), request.body.name);
      return SUCCESS;
    },
  );

  app.delete(
    "/api/account",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete your account permanently",
        description:
          "Workspaces in which you are the only member are deleted with it. Their traces are deleted before the response or, " +
          "if there are very many, in the minutes after it.",
        body: deletedAccount,
        response: { 200: successSchema },
        errors: {
          400: [NO_PASSWORD],
          401: ["Current password is incorrect"],
          409: [onlyOwner("<name>")],
          ...CONFIRM_ERRORS,
          ...RATE_LIMIT_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const { password } = request.body;
      await admitPasswordCheck(limiter, config.rateLimits.login, session);
      const { hasPassword } = await readFactors(db, session.user.id);
      if (!hasPassword) await requireConfirmed(request);
      else if (password === undefined) throw new HttpError(400, NO_PASSWORD);
      else await checkCurrentPassword(db, passwords, session.user.id, password);
      await deleteAccount({ db, log: request.log }, session.user, originOf(request));
      cookie.clear(reply);
      return SUCCESS;
    },
  );
}
