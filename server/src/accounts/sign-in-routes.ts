import { credentials, session, signedInUser } from "@whytrace/contract/schemas/accounts";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import type { DeviceCookie } from "../auth/device-cookie.ts";
import { findDevice } from "../auth/devices.ts";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import { endSession } from "../auth/sessions.ts";
import type { StartSession } from "../auth/start-session.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { logIn } from "./log-in.ts";

const SET_COOKIE = { "Set-Cookie": { type: "string", description: "The session cookie" } };

export interface SignInRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  passwords: Passwords;
  cookie: SessionCookie;
  deviceCookie: DeviceCookie;
  startSession: StartSession;
  guard: SessionGuard;
}

export function signInRoutes(
  app: App,
  { db, config, limiter, passwords, cookie, deviceCookie, startSession, guard }: SignInRoutesOptions,
) {
  const tags = ["Accounts"];

  app.post(
    "/api/auth/login",
    {
      schema: {
        tags,
        summary: "Sign in",
        description:
          "Creates a session and sets its cookie, which is valid for 7 days. Ends the session of the cookie that the request contains. A second cookie recognises the browser: its later sign-ins have a rate limit of their own.",
        body: credentials,
        response: { 200: signedInUser.meta({ headers: SET_COOKIE }) },
        errors: { 401: ["Invalid email or password"], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      const { body, ip, headers } = request;
      const email = body.email.toLowerCase();
      const { login } = config.rateLimits;
      const device = await findDevice(db, deviceCookie.read(request), email);
      if (device) await limiter.admit([{ ...login, name: "login-device", subject: device.id }]);
      else await limiter.admitCaller("login", login, email, ip);
      const { user, token } = await logIn(db, passwords, {
        email,
        password: body.password,
        userAgent: headers["user-agent"],
      });
      await startSession(request, reply, { userId: user.id, token });
      return { user };
    },
  );

  app.post(
    "/api/auth/logout",
    { onRequest: guard, schema: { tags, summary: "Sign out", response: { 200: successSchema } } },
    async (request, reply) => {
      const session = sessionOf(request);
      await endSession(db, session.user.id, session.id);
      cookie.clear(reply);
      return SUCCESS;
    },
  );

  app.get(
    "/api/auth/session",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Get the signed-in user",
        response: { 200: session },
      },
    },
    async (request) => sessionOf(request),
  );
}
