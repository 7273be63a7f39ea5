import { z } from "zod";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { padResponseTime } from "../http/pad-response-time.ts";
import { type RateLimiter, RATE_LIMIT_ERRORS } from "../http/rate-limit.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { emailAddress, newPassword, personName } from "./credentials.ts";
import { forgotPassword } from "./forgot-password.ts";
import { register } from "./register.ts";
import { resendVerification } from "./resend-verification.ts";
import { resetPassword } from "./reset-password.ts";
import { verifyEmail } from "./verify-email.ts";

const message = successSchema.extend({ message: z.string() });
const token = z.string().min(1).max(200).describe("The token of the link in the mail");
const INVALID_TOKEN = { 400: ["Invalid or expired token"] };

export interface SignUpRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  passwords: Passwords;
  guard: SessionGuard;
}

/** Before there is a session: registering, proving the address, getting back in. */
export function signUpRoutes(app: App, { db, config, limiter, passwords, guard }: SignUpRoutesOptions) {
  const tags = ["Accounts"];
  const { publicUrl, freeSessionsPerDay, rateLimits } = config;

  app.post(
    "/api/auth/register",
    {
      onRequest: async () => {
        if (!config.isRegistrationOpen) throw new HttpError(403, "Registration is closed");
      },
      schema: {
        tags,
        summary: "Register; the answer is the same whether or not the address is known",
        body: z.object({ email: emailAddress, password: newPassword, name: personName.nullish() }),
        response: { 200: message },
        errors: { 403: ["Registration is closed"], ...RATE_LIMIT_ERRORS },
      },
    },
    async ({ body, ip }) => {
      await limiter.admitCaller("register", rateLimits.register, body.email, ip);
      await padResponseTime(() =>
        register({ db, passwords, publicUrl, freeSessionsPerDay }, { ...body, name: body.name ?? null }),
      );
      return { ...SUCCESS, message: "Check your mail: we sent you a link to confirm the address." };
    },
  );

  app.post(
    "/api/auth/verify-email",
    {
      schema: {
        tags,
        summary: "Confirm an address by the token mailed to it",
        body: z.object({ token }),
        response: { 200: successSchema },
        errors: INVALID_TOKEN,
      },
    },
    async ({ body }) => {
      await verifyEmail(db, body.token);
      return SUCCESS;
    },
  );

  app.post(
    "/api/auth/resend-verification",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Mail the confirmation link again, once in 60 seconds",
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
        summary: "Mail a link to choose a new password; the answer is the same for every address",
        body: z.object({ email: emailAddress }),
        response: { 200: message },
        errors: RATE_LIMIT_ERRORS,
      },
    },
    async ({ body, ip }) => {
      await limiter.admitCaller("forgot-password", rateLimits.forgotPassword, body.email, ip);
      await padResponseTime(() => forgotPassword(db, publicUrl, body.email));
      return {
        ...SUCCESS,
        message: "If the address has an account, a link to choose a new password is on its way.",
      };
    },
  );

  app.post(
    "/api/auth/reset-password",
    {
      schema: {
        tags,
        summary: "Choose a new password by the token mailed; ends every session",
        body: z.object({ token, password: newPassword }),
        response: { 200: successSchema },
        errors: { ...INVALID_TOKEN, ...RATE_LIMIT_ERRORS },
      },
    },
    async ({ body, ip }) => {
      await limiter.admitClient("reset-password", rateLimits.resetPassword, ip);
      await resetPassword({ db, passwords, publicUrl }, body);
      return SUCCESS;
    },
  );
}
