import * as schemas from "@whytrace/contract/schemas/sign-in/sign-in";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import { readFactors } from "../auth/factors.ts";
import { originOf } from "../auth/origin-of.ts";
import { CONFIRM, CONFIRM_ERRORS, requireConfirmed } from "../auth/require-confirmed.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import { requireVerified, UNVERIFIED } from "../auth/require-verified.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { addFactor, NO_FACTOR, removeFactor, renewRecoveryCodes } from "./change-factors.ts";
import type { FactorChecks } from "./check-factor.ts";
import { GuessLimit } from "./guess-limit.ts";
import { addPasskey, newPasskeyOptions, PASSKEY_REFUSED, TOO_MANY_PASSKEYS } from "./passkeys/add-passkey.ts";
import { deletePasskey, listPasskeys, renamePasskey } from "./passkeys/stored-passkeys.ts";
import { NO_PASSKEYS } from "./sign-in-routes.ts";
import { confirmTotp, deleteTotp, startTotp, TOTP_EXISTS, TOTP_UNAVAILABLE } from "./totp/totp-secrets.ts";

const INVALID_CODE = "Invalid code";
const NO_PASSKEY = "Passkey not found";
/** Error texts of routes that add a factor. */
const ADDING_ERRORS = { 403: [CONFIRM, UNVERIFIED] };

interface FactorSettingsOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  checks: FactorChecks;
  guard: SessionGuard;
}

/** A person's passkeys, authenticator app and recovery codes. */
export function factorSettingsRoutes(
  app: App,
  { db, config, limiter, checks, guard }: FactorSettingsOptions,
) {
  const tags = ["Account settings"];
  const { encryption, relyingParty } = checks;
  const guesses = new GuessLimit({ db, limiter, config });
  const confirmed = [guard, requireConfirmed];
  const params = z.object({ id: z.string() });

  app.get(
    "/api/account/factors",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "What you can sign in with, besides passkeys",
        response: { 200: schemas.factors },
      },
    },
    (request) => readFactors(db, sessionOf(request).user.id),
  );

  app.post(
    "/api/account/totp",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Start to set up an authenticator app",
        description: "The secret counts when you have confirmed it with a code. Starting again replaces it.",
        response: { 201: schemas.startedTotp },
        errors: { ...ADDING_ERRORS, 409: [TOTP_EXISTS], 503: [TOTP_UNAVAILABLE] },
      },
    },
    async (request, reply) => {
      const { user } = sessionOf(request);
      requireVerified(user);
      return reply.code(201).send(await startTotp(db, encryption, user));
    },
  );

  app.post(
    "/api/account/totp/confirm",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Finish to set up an authenticator app",
        description:
          "From then on your password alone is not enough. Returns ten recovery codes if this is your first factor, otherwise none.",
        body: schemas.totpCode,
        response: { 200: schemas.recoveryCodeList },
        errors: {
          400: [INVALID_CODE],
          ...ADDING_ERRORS,
          503: [TOTP_UNAVAILABLE],
          ...RATE_LIMIT_ERRORS,
        },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      const act = { method: "totp", origin: originOf(request) } as const;
      await guesses.admitSetup(session.user.id);
      const { recoveryCodes } = await addFactor(db, session, act, async (trx) => {
        if (!(await confirmTotp(trx, encryption, session.user.id, request.body.code)))
          throw new HttpError(400, INVALID_CODE);
      });
      return { recoveryCodes };
    },
  );

  app.delete(
    "/api/account/totp",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Remove your authenticator app",
        response: { 200: successSchema },
        errors: CONFIRM_ERRORS,
      },
    },
    async (request) => {
      const { user } = sessionOf(request);
      const act = { method: "totp", origin: originOf(request) } as const;
      await removeFactor(db, user.id, act, (trx) => deleteTotp(trx, user.id));
      return SUCCESS;
    },
  );

  app.post(
    "/api/account/recovery-codes",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Make ten new recovery codes",
        description: "The old ones end. Each works once in place of your second factor.",
        response: { 200: schemas.recoveryCodeList },
        errors: { ...CONFIRM_ERRORS, 409: [NO_FACTOR] },
      },
    },
    async (request) => {
      const { user } = sessionOf(request);
      return { recoveryCodes: await renewRecoveryCodes(db, user.id, originOf(request)) };
    },
  );

  app.post(
    "/api/account/passkeys/options",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Start to add a passkey",
        description:
          "Returns what `navigator.credentials.create()` needs. Only the session that asked can use the challenge, once, within 5 minutes.",
        response: { 200: schemas.passkeyOptions },
        errors: { ...ADDING_ERRORS, 409: [TOO_MANY_PASSKEYS, NO_PASSKEYS] },
      },
    },
    async (request) => {
      requireVerified(sessionOf(request).user);
      if (!relyingParty) throw new HttpError(409, NO_PASSKEYS);
      return { options: await newPasskeyOptions(db, relyingParty, sessionOf(request)) };
    },
  );

  app.post(
    "/api/account/passkeys",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Add a passkey",
        description: "Returns ten recovery codes if this is your first factor, otherwise none.",
        body: schemas.newPasskey,
        response: { 201: schemas.addedPasskey },
        errors: { 400: [PASSKEY_REFUSED], ...ADDING_ERRORS, 409: [TOO_MANY_PASSKEYS] },
      },
    },
    async (request, reply) => {
      if (!relyingParty) throw new HttpError(400, PASSKEY_REFUSED);
      const options = { db, relyingParty, origin: originOf(request) };
      const added = await addPasskey(options, sessionOf(request), request.body);
      return reply.code(201).send(added);
    },
  );

  app.get(
    "/api/account/passkeys",
    {
      onRequest: guard,
      schema: { tags, summary: "List your passkeys", response: { 200: schemas.passkeyList } },
    },
    async (request) => ({ passkeys: await listPasskeys(db, sessionOf(request).user.id) }),
  );

  app.patch(
    "/api/account/passkeys/:id",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Rename a passkey",
        params,
        body: schemas.renamedPasskey,
        response: { 200: successSchema },
        errors: { 404: [NO_PASSKEY] },
      },
    },
    async (request) => {
      const { id } = request.params;
      const isRenamed = await renamePasskey(db, sessionOf(request).user.id, { id, ...request.body });
      if (!isRenamed) throw new HttpError(404, NO_PASSKEY);
      return SUCCESS;
    },
  );

  app.delete(
    "/api/account/passkeys/:id",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Remove a passkey",
        params,
        response: { 200: successSchema },
        errors: { ...CONFIRM_ERRORS, 404: [NO_PASSKEY] },
      },
    },
    async (request) => {
      const { user } = sessionOf(request);
      const remove = (trx: Database) => deletePasskey(trx, user.id, request.params.id);
      const act = { method: "passkey", origin: originOf(request) } as const;
      if (!(await removeFactor(db, user.id, act, remove))) throw new HttpError(404, NO_PASSKEY);
      return SUCCESS;
    },
  );
}
