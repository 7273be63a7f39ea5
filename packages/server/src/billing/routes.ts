import { billing, newCheckout, openedPortal, redirect } from "@whytrace/contract/schemas/billing";
import { z } from "zod";
import { recordEvent } from "../audit/record-event.ts";
import { originOf } from "../auth/origin-of.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { pageIn, readWorkspaceAddress } from "../workspaces/workspace-address.ts";
import { findCustomer } from "./customers.ts";
import type { Provider } from "./provider.ts";
import { readBilling } from "./read-billing.ts";
import { receiveEvent } from "./receive-event.ts";
import type { Reconciler } from "./reconciler.ts";
import { redirectUrl } from "./redirect-url.ts";
import { REPLACED, SUBSCRIBED, startCheckout } from "./start-checkout.ts";
import { TIERS } from "./tiers.ts";

const WEBHOOK_MAX_BYTES = 1024 * 1024;

interface BillingRoutesOptions {
  db: Database;
  config: Config;
  guard: SessionGuard;
  /** Undefined if no payment provider is configured. */
  provider: Provider | undefined;
  reconciler: Reconciler;
}

const UNAVAILABLE = ["Billing is not configured", "The payment provider does not answer. Try again later."];

export function billingRoutes(app: App, { db, config, guard, provider, reconciler }: BillingRoutesOptions) {
  const onRequest = guard;
  const tags = ["Billing"];
  const { publicUrl, allowedOrigins, freeSessionsPerDay } = config;
  const billingPageOf = async (workspaceId: WorkspaceId) =>
    pageIn(await readWorkspaceAddress(db.directory, workspaceId, publicUrl), "/settings/billing");
  const requireProvider = () => {
    if (!provider) throw new HttpError(503, "Billing is not configured");
    return provider;
  };

  app.get(
    "/api/billing",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get your plan, your usage and the available plans",
        response: { 200: billing },
        errors: { 403: ["No subscription found for this user"] },
      },
    },
    async (request) => {
      const workspaceId = memberOf(request).workspaceId;
      reconciler.request(workspaceId);
      const FREE = { ...TIERS.FREE, sessionsLimit: freeSessionsPerDay };
      const plan = await readBilling(db, workspaceId, { ...TIERS, FREE });
      // Without a payment provider nobody can buy the other plans.
      return provider ? plan : { ...plan, tiers: [FREE] };
    },
  );

  app.post(
    "/api/billing/checkout",
    {
      onRequest,
      schema: {
        tags,
        summary: "Start a checkout at the payment provider",
        description: "An earlier checkout that was not paid expires.",
        body: newCheckout,
        response: { 200: redirect },
        errors: {
          400: ["Redirect URL is not allowed"],
          409: [SUBSCRIBED, REPLACED],
          503: UNAVAILABLE,
        },
      },
    },
    async (request) => {
      const { user, workspaceId } = memberOf(request);
      const { tier, ...targets } = request.body;
      const billingPage = await billingPageOf(workspaceId);
      const successUrl = redirectUrl(targets.successUrl, `${billingPage}?checkout=success`, allowedOrigins);
      const cancelUrl = redirectUrl(targets.cancelUrl, billingPage, allowedOrigins);
      const calls = requireProvider().withinDeadline();
      const payer = { workspaceId, email: user.email };
      const url = await startCheckout({ db, calls }, payer, { tier, successUrl, cancelUrl });
      await recordEvent(db, workspaceId, originOf(request), {
        action: "checkout.started",
        details: { tier },
      });
      return { url };
    },
  );

  app.post(
    "/api/billing/portal",
    {
      onRequest,
      schema: {
        tags,
        summary: "Open the payment provider's customer portal",
        body: openedPortal,
        response: { 200: redirect },
        errors: {
          400: ["Redirect URL is not allowed"],
          409: ["You have no subscription yet. Start with a checkout."],
          503: UNAVAILABLE,
        },
      },
    },
    async (request) => {
      const { workspaceId } = memberOf(request);
      const billingPage = await billingPageOf(workspaceId);
      const returnUrl = redirectUrl(request.body?.returnUrl, billingPage, allowedOrigins);
      const calls = requireProvider().withinDeadline();
      const customerId = await findCustomer(db, workspaceId);
      if (!customerId) throw new HttpError(409, "You have no subscription yet. Start with a checkout.");
      return { url: await calls.openPortal(customerId, returnUrl) };
    },
  );

  // A separate scope with raw bodies: the signature covers the exact bytes.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: WEBHOOK_MAX_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.post(
      "/api/webhooks/stripe",
      {
        schema: {
          tags,
          summary: "Receive a webhook event from the payment provider",
          response: { 200: z.object({ received: z.literal(true) }) },
          errors: { 400: ["Invalid signature"], 413: ["Request body too large"], 503: UNAVAILABLE },
        },
      },
      async (request) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const signature = request.headers["stripe-signature"];
        const provider = requireProvider();
        const event = provider.readEvent(body, typeof signature === "string" ? signature : undefined);
        await receiveEvent({ db, provider, publicUrl, freeSessionsPerDay }, event);
        return { received: true as const };
      },
    );
  });
}
