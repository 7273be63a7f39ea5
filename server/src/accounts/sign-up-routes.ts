import { z } from "zod";
import type { Passwords } from "../auth/passwords.ts";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { padResponseTime } from "../http/pad-response-time.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { SUCCESS, successSchema } from "../http/success.ts";
import { emailAddress, newPassword, personName } from "./credentials.ts";
import { forgotPassword } from "./forgot-password.ts";
import { register } from "./register.ts";
import { resendVerification } from "./resend-verification.ts";
import { resetPassword } from "./reset-password.ts";
import { verifyEmail } from "./verify-email.ts";

const message = successSchema.extend({ message: z.string() });
const token = z.string().min(1).max(200).describe("The token from the link in the mail");
const INVALID_TOKEN = { 400: ["Invalid or expired token"] };

export interface SignUpRoutesOptions {
  db: Database;
  config: Config;
  limiter: RateLimiter;
  passwords: Passwords;
  guard: SessionGuard;
}

/** Registration, verification of the address, and password reset. */
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
        summary: "Register an account",
        description: "The response is the same whether or not the address already has an account.",
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
        summary: "Verify an e-mail address with the mailed token",
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
        summary: "Send the verification link again",
        description: "At most once in 60 seconds. Does nothing if the address is already verified.",
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
        summary: "Choose a new password with the mailed token",
        description: "Ends all sessions of the user.",
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
