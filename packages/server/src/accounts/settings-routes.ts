import { changedPassword, renamedUser, signedInUser, signInList } from "@whytrace/contract/schemas/accounts";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import type { DeviceCookie } from "../auth/device-cookie.ts";
import { originOf } from "../auth/origin-of.ts";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import { endSession, endSessions, listSignIns } from "../auth/sessions.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { changePassword } from "./change-password.ts";
import { admitPasswordCheck } from "./check-current-password.ts";
import { renameUser } from "./rename-user.ts";

interface SettingsRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  passwords: Passwords;
  deviceCookie: DeviceCookie;
  guard: SessionGuard;
}

export function settingsRoutes(
  app: App,
  { db, config, limiter, passwords, deviceCookie, guard }: SettingsRoutesOptions,
) {
  const tags = ["Account settings"];
  const onRequest = guard;

  app.patch(
    "/api/account",
    {
      onRequest,
      schema: {
        tags,
        summary: "Change your name",
        description: "Set `name` to null to remove it.",
        body: renamedUser,
        response: { 200: signedInUser },
      },
    },
    async (request) => ({ user: await renameUser(db, sessionOf(request).user, request.body.name) }),
  );

  app.post(
    "/api/account/password",
    {
      onRequest,
      schema: {
        tags,
        summary: "Change your password",
        description: "Ends all your other sessions.",
        body: changedPassword,
        response: { 200: successSchema },
        errors: { 401: ["Current password is incorrect"], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      await admitPasswordCheck(limiter, config.rateLimits.login, session);
      const options = { db, passwords, publicUrl: config.publicUrl, origin: originOf(request) };
      await changePassword(options, session, deviceCookie.read(request), request.body);
      return SUCCESS;
    },
  );

  app.get(
    "/api/account/sessions",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your sign-in sessions",
        response: { 200: signInList },
      },
    },
    async (request) => ({ sessions: await listSignIns(db, sessionOf(request)) }),
  );

  app.delete(
    "/api/account/sessions",
    {
      onRequest,
      schema: { tags, summary: "End all sign-in sessions except this one", response: { 200: successSchema } },
    },
    async (request) => {
      const session = sessionOf(request);
      await endSessions(db, session.user.id, session.id);
      return SUCCESS;
    },
  );

  app.delete(
    "/api/account/sessions/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "End a sign-in session",
        params: z.object({ id: z.string() }),
        response: { 200: successSchema },
        errors: { 404: ["Session not found"] },
      },
    },
    async (request) => {
      const isEnded = await endSession(db, sessionOf(request).user.id, request.params.id);
      if (!isEnded) throw new HttpError(404, "Session not found");
      return SUCCESS;
    },
  );
}
