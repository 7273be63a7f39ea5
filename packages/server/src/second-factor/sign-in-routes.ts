import { signedInUser } from "@whytrace/contract/schemas/accounts";
import type { FactorAnswer } from "@whytrace/contract/schemas/sign-in/sign-in";
import * as schemas from "@whytrace/contract/schemas/sign-in/sign-in";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { sql } from "kysely";
import { placeOf } from "../auth/origin-of.ts";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import { confirmSession } from "../auth/sessions.ts";
import type { StartSession } from "../auth/start-session.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { recordFailedSignIn } from "../workspaces/record-failed-sign-in.ts";
import { signIn } from "../workspaces/sign-in.ts";
import { checkFactor, type FactorChecks } from "./check-factor.ts";
import { GuessLimit } from "./guess-limit.ts";
import { PASSKEY_REFUSED } from "./passkeys/add-passkey.ts";
import { passkeyOptions, usePasskey } from "./passkeys/use-passkey.ts";
import { countAttempt, findStep, finishStep } from "./sign-in-steps.ts";

const INVALID_CODE = "Invalid code";
const SIGN_IN_AGAIN = "Sign in again";
const NOT_RIGHT = "That was not right";
export const NO_PASSKEYS = "Passkeys do not work on the address of this server";

interface SecondFactorRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  passwords: Passwords;
  checks: FactorChecks;
  startSession: StartSession;
  guard: SessionGuard;
}

/** The second step of a sign-in, sign-in by passkey, and proving again who it is. */
export function secondFactorRoutes(
  app: App,
  { db, config, limiter, passwords, checks, startSession, guard }: SecondFactorRoutesOptions,
) {
  const tags = ["Accounts"];
  const { relyingParty } = checks;
  const guesses = new GuessLimit({ db, limiter, config });
  const { login } = config.rateLimits;
  /** A client may ask as often as it may sign in with many addresses. */
  const passkeyLimit = { ...login, limit: login.limit * 10 };

  app.post(
    "/api/auth/login/second-factor",
    {
      schema: {
        tags,
        summary: "Finish a sign-in with the second factor",
        description:
          "Takes the token of the first step and one of `code`, `recoveryCode` and `passkey`. A token ends after five tries, five minutes or success.",
        body: schemas.secondStep,
        response: { 200: signedInUser },
        errors: { 401: [INVALID_CODE, SIGN_IN_AGAIN], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      const { token, ...answer } = request.body;
      const step = await findStep(db, token);
      if (!step) throw new HttpError(401, SIGN_IN_AGAIN);
      await guesses.admit(step);
      if (!(await countAttempt(db, token))) throw new HttpError(401, SIGN_IN_AGAIN);
      const method = await checkFactor(checks, step.userId, answer);
      if (!method) {
        await guesses.countFailure(step);
        recordFailedSignIn(db, request, reply, { email: step.email, method: methodOf(answer) });
        throw new HttpError(401, INVALID_CODE);
      }
      const session = { userId: step.userId, methods: ["password", method] };
      const signedIn = await transaction(db, async (trx) =>
        (await finishStep(trx, step.userId, token))
          ? signIn(trx, session, { method, ...placeOf(request) })
          : undefined,
      );
      if (!signedIn) throw new HttpError(401, SIGN_IN_AGAIN);
      const { user } = signedIn;
      await startSession(request, reply, { userId: user.id, token: signedIn.token });
      return { user };
    },
  );

  app.post(
    "/api/auth/passkey/options",
    {
      schema: {
        tags,
        summary: "Start a sign-in by passkey",
        description:
          "Returns what `navigator.credentials.get()` needs. The challenge is valid once, for 5 minutes.",
        response: { 200: schemas.passkeyOptions },
        errors: { 409: [NO_PASSKEYS], ...RATE_LIMIT_ERRORS },
      },
    },
    async ({ ip }) => {
      if (!relyingParty) throw new HttpError(409, NO_PASSKEYS);
      await limiter.admitClient("passkey-options", passkeyLimit, ip);
      return { options: await passkeyOptions(db, relyingParty) };
    },
  );

  app.post(
    "/api/auth/passkey",
    {
      schema: {
        tags,
        summary: "Sign in by passkey",
        description: "A passkey counts as both factors: it is something you have, and it has verified you.",
        body: schemas.passkeySignIn,
        response: { 200: signedInUser },
        errors: { 401: [PASSKEY_REFUSED], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      await limiter.admitClient("passkey", passkeyLimit, request.ip);
      const userId = relyingParty && (await usePasskey(db, relyingParty, request.body.response));
      if (!userId) throw new HttpError(401, PASSKEY_REFUSED);
      const signedIn = await transaction(db, (trx) =>
        signIn(trx, { userId, methods: ["passkey"] }, { method: "passkey", ...placeOf(request) }),
      );
      if (!signedIn) throw new HttpError(401, PASSKEY_REFUSED);
      await startSession(request, reply, { userId, token: signedIn.token });
      return { user: signedIn.user };
    },
  );

  app.post(
    "/api/auth/confirm",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Prove again that it is you",
        description:
          "Takes one of `password`, `code`, `recoveryCode` and `passkey`; the header `Whytrace-Confirm` of the refused request says which. It counts for 10 minutes. The password of a person with a second factor confirms nothing.",
        body: schemas.confirmation,
        response: { 200: successSchema },
        errors: { 401: [NOT_RIGHT], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const { id, user } = session;
      const { password, ...answer } = request.body;
      const refuse = (method: string) => {
        recordFailedSignIn(db, request, reply, { email: user.email, method, purpose: "confirm" });
        return new HttpError(401, NOT_RIGHT);
      };
      if (password !== undefined) {
        await limiter.admit([{ ...login, name: "password-check", subject: id }]);
        const isRight = await passwords.verify(await readPasswordHash(db, user.id), password);
        if (!isRight || !(await confirmSession(db, session, "password"))) throw refuse("password");
      } else {
        const guessed = { userId: user.id, email: user.email };
        await guesses.admit(guessed);
        const method = await checkFactor(checks, user.id, answer);
        if (!method || !(await confirmSession(db, session, method))) {
          await guesses.countFailure(guessed);
          throw refuse(methodOf(answer));
        }
      }
      return SUCCESS;
    },
  );
}

const methodOf = ({ code, recoveryCode }: FactorAnswer) =>
  code !== undefined ? "totp" : recoveryCode !== undefined ? "recovery" : "passkey";

async function readPasswordHash(db: Database, userId: UserId): Promise<string | undefined> {
  const { rows } = await sql<{ passwordHash: string | null }>`
    select password_hash from users where id = ${userId}`.execute(db);
  return rows[0]?.passwordHash ?? undefined;
}
