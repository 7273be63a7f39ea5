import { credentials, session } from "@whytrace/contract/schemas/accounts";
import { loginResult, signInMethods } from "@whytrace/contract/schemas/sign-in/sign-in";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import type { DeviceCookie } from "../auth/device-cookie.ts";
import { findDevice } from "../auth/devices.ts";
import { readFactors, secondFactorsOf } from "../auth/factors.ts";
import { placeOf } from "../auth/origin-of.ts";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import { endSession } from "../auth/sessions.ts";
import type { StartSession } from "../auth/start-session.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { relyingPartyOf } from "../second-factor/passkeys/relying-party.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { recordFailedSignIn } from "../workspaces/record-failed-sign-in.ts";
import { signInWithPassword } from "./sign-in-with-password.ts";

export const NO_PASSWORDS = "Password sign-in is off on this server.";
const SET_COOKIE = { "Set-Cookie": { type: "string", description: "The session cookie" } };

interface SignInRoutesOptions {
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

  app.get(
    "/api/auth/methods",
    { schema: { tags, summary: "How people can sign in here", response: { 200: signInMethods } } },
    async () => ({
      password: config.hasPasswords,
      passkeys: relyingPartyOf(config.publicUrl) !== undefined,
      totp: config.encryptionKeys.length > 0,
      registration: config.isRegistrationOpen,
      providers: config.providers.map(({ id, name }) => ({ id, name })),
    }),
  );

  app.post(
    "/api/auth/login",
    {
      schema: {
        tags,
        summary: "Sign in",
        description:
          "Creates a session and sets its cookie, which is valid for 7 days; for a person with a second factor it returns a token for the second step instead. Ends the session of the cookie that the request contains. A second cookie recognises the browser: its later sign-ins have a rate limit of their own.",
        body: credentials,
        response: { 200: loginResult.meta({ headers: SET_COOKIE }) },
        errors: { 401: ["Invalid email or password"], 403: [NO_PASSWORDS], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      if (!config.hasPasswords) throw new HttpError(403, NO_PASSWORDS);
      const { body, ip } = request;
      const email = body.email.toLowerCase();
      const { login } = config.rateLimits;
      const device = await findDevice(db, deviceCookie.read(request), email);
      if (device) await limiter.admit([{ ...login, name: "login-device", subject: device.id }]);
      else await limiter.admitCaller("login", login, email, ip);
      const attempt = { email, password: body.password, ...placeOf(request) };
      const result = await signInWithPassword(db, passwords, attempt).catch((error: unknown) => {
        if (error instanceof HttpError) recordFailedSignIn(db, request, reply, { email, method: "password" });
        throw error;
      });
      if ("secondFactor" in result) return result;
      const { user, token } = result;
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
        summary: "Get the signed-in user and their workspaces",
        response: { 200: session },
      },
    },
    async (request) => {
      const current = sessionOf(request);
      const hasSecondFactor = secondFactorsOf(await readFactors(db, current.user.id)).length > 0;
      const workspaces = await listWorkspaces(db, current);
      return { ...current, workspaces, signIn: { ...current.signIn, hasSecondFactor } };
    },
  );
}
