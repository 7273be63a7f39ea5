import type { MailDelivery, Registration } from "@whytrace/contract";
import * as schemas from "@whytrace/contract/schemas/accounts";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import type { FastifyRequest } from "fastify";
import { placeOf } from "../auth/origin-of.ts";
import type { Passwords } from "../auth/passwords.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import { sessionOf } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import { findSession } from "../auth/sessions.ts";
import { TIERS } from "../billing/tiers.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { padResponseTime } from "../http/pad-response-time.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { RATE_LIMIT_ERRORS } from "../http/rate-limit.ts";
import { mailDelivery } from "../mail/mail-delivery.ts";
import { INVITATION_INVALID } from "./find-invitation.ts";
import { forgotPassword } from "./forgot-password.ts";
import type { TakeBack } from "./prove-address.ts";
import { INVITED_ADDRESS, register } from "./register.ts";
import { resendVerification } from "./resend-verification.ts";
import { resetPassword } from "./reset-password.ts";
import { NO_PASSWORDS } from "./sign-in-routes.ts";
import { verifyEmail } from "./verify-email.ts";

const INVALID_TOKEN = { 400: ["Invalid or expired token"] };

/** Whether mails arrive depends on the server alone, so the texts do not tell whether an address has an account. */
const REGISTERED: Readonly<Record<MailDelivery, string>> = {
  smtp: "Check your mail: we sent you a link to confirm the address.",
  log: "The link to confirm the address is in the server's log, because this server sends no mail.",
  none: "This server sends no mail, so you cannot confirm the address now.",
};
const RESET_REQUESTED: Readonly<Record<MailDelivery, string>> = {
  smtp: "If the address has an account, a link to choose a new password is on its way.",
  log: "If the address has an account, a link to choose a new password is in the server's log, because this server sends no mail.",
  none: "This server sends no mail. Ask its operator for a link to choose a new password.",
};

interface SignUpRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  passwords: Passwords;
  cookie: SessionCookie;
  takeBack: TakeBack;
  guard: SessionGuard;
}

/** Registration, verification of the address, and password reset. */
export function signUpRoutes(
  app: App,
  { db, config, limiter, passwords, cookie, takeBack, guard }: SignUpRoutesOptions,
) {
  const tags = ["Accounts"];
  const { publicUrl, freeSessionsPerDay, rateLimits } = config;
  const mail = mailDelivery(config.smtpUrl);

  const proofOf = async (request: FastifyRequest) => {
    const token = cookie.read(request);
    return { session: token === undefined ? undefined : await findSession(db, token), takeBack };
  };
  const requirePasswords = () => {
    if (!config.hasPasswords) throw new HttpError(403, NO_PASSWORDS);
  };

  app.get(
    "/api/auth/registration",
    {
      schema: {
        tags,
        summary: "What a visitor needs to know before registering",
        response: { 200: schemas.registration },
      },
    },
    async (): Promise<Registration> => ({
      isOpen: config.isRegistrationOpen && config.hasPasswords,
      hasSample: config.hasSample,
      plan: { ...TIERS.FREE, sessionsLimit: freeSessionsPerDay },
      mail,
    }),
  );

  app.post(
    "/api/auth/register",
    {
      // An invitation is as good as an open registration.
      preValidation: async ({ body }: { body: unknown }) => {
        requirePasswords();
        const isInvited = typeof body === "object" && body !== null && "invitation" in body;
        if (!config.isRegistrationOpen && !isInvited) throw new HttpError(403, "Registration is closed");
      },
      schema: {
        tags,
        summary: "Register an account",
        description: "The response is the same whether or not the address already has an account.",
        body: schemas.newAccount,
        response: { 200: schemas.message },
        errors: {
          400: [INVITATION_INVALID, INVITED_ADDRESS],
          403: ["Registration is closed", NO_PASSWORDS],
          ...RATE_LIMIT_ERRORS,
        },
      },
    },
    async ({ body, ip, headers }) => {
      await limiter.admitCaller("register", rateLimits.register, body.email, ip);
      const userAgent = headers["user-agent"] ?? null;
      const createsWorkspace = config.isWorkspaceCreationOpen;
      await padResponseTime(() =>
        register(
          { db, passwords, publicUrl, freeSessionsPerDay, createsWorkspace },
          { ...body, name: body.name ?? null, ip, userAgent },
        ),
      );
      return { ...SUCCESS, message: REGISTERED[mail] };
    },
  );

  app.post(
    "/api/auth/verify-email",
    {
      schema: {
        tags,
        summary: "Verify an e-mail address with the mailed token",
        description:
          "Without the cookie of a session of the account, this ends what was set up with the account, also its password, sessions and API keys: somebody else may have registered the address. `passwordToken` then allows to choose a password, for one hour.",
        body: schemas.verifiedToken,
        response: { 200: schemas.verifiedEmail },
        errors: INVALID_TOKEN,
      },
    },
    async (request) => {
      const passwordToken = await verifyEmail(db, request.body.token, await proofOf(request));
      return { ...SUCCESS, ...(passwordToken !== undefined && config.hasPasswords && { passwordToken }) };
    },
  );

  app.post(
    "/api/auth/resend-verification",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Send the verification link again",
        description:
          "At most once in 60 seconds and five times a day. Does nothing if the address is already verified.",
        response: { 200: successSchema },
        errors: RATE_LIMIT_ERRORS,
      },
    },
    async (request) => {
      await resendVerification(db, limiter, publicUrl, sessionOf(request).user);
      return SUCCESS;
    },
  );

  app.post(
    "/api/auth/forgot-password",
    {
      schema: {
        tags,
        summary: "Request a link to choose a new password",
        description: "The response is the same whether or not the address has an account.",
        body: schemas.forgottenPassword,
        response: { 200: schemas.message },
        errors: { 403: [NO_PASSWORDS], ...RATE_LIMIT_ERRORS },
      },
    },
    async ({ body, ip }) => {
      requirePasswords();
      await limiter.admitCaller("forgot-password", rateLimits.forgotPassword, body.email, ip);
      await padResponseTime(() => forgotPassword(db, publicUrl, body.email));
      return { ...SUCCESS, message: RESET_REQUESTED[mail] };
    },
  );

  app.post(
    "/api/auth/reset-password",
    {
      schema: {
        tags,
        summary: "Choose a new password with the mailed token",
        description:
          "Ends all sessions of the user. It also proves the address: if nothing has before, and without the cookie of a session of the account, what was set up with the account ends, too.",
        body: schemas.resetPassword,
        response: { 200: successSchema },
        errors: { ...INVALID_TOKEN, 403: [NO_PASSWORDS], ...RATE_LIMIT_ERRORS },
      },
    },
    async (request) => {
      requirePasswords();
      await limiter.admitClient("reset-password", rateLimits.resetPassword, request.ip);
      const proof = await proofOf(request);
      await resetPassword({ db, passwords, publicUrl, ...proof }, request.body, placeOf(request));
      return SUCCESS;
    },
  );
}
