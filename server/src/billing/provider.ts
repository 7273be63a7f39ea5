import { createHash } from "node:crypto";
import type { Tier } from "@whytrace/contract";
import Stripe from "stripe";
import type { StripeConfig } from "../config.ts";
import { HttpError } from "../http/http-error.ts";
import { type ProviderSubscription, toProviderSubscription } from "./provider-subscription.ts";

/** For all provider calls of one request together. */
const DEADLINE_MS = 4_000;

export type PaidTier = Exclude<Tier, "FREE">;

export interface Checkout {
  userId: string;
  customerId: string;
  tier: PaidTier;
  successUrl: string;
  cancelUrl: string;
}

/** The payment provider. A call that fails or exceeds the deadline throws 503; there are no automatic retries. */
export class Provider {
  readonly #stripe: Stripe;
  readonly #config: StripeConfig;

  constructor(config: StripeConfig) {
    this.#config = config;
    this.#stripe = new Stripe(config.secretKey, {
      maxNetworkRetries: 0,
      timeout: DEADLINE_MS,
      telemetry: false,
      ...parseApiBase(config.apiBase),
    });
  }

  /** Starts the deadline of one request and returns the calls that share it. */
  withinDeadline(): ProviderCalls {
    return new ProviderCalls(this.#stripe, this.#config, Date.now() + DEADLINE_MS);
  }

  /** Parses a webhook; throws 400 if the signature is invalid or too old. */
  readEvent(body: Buffer, signature: string | undefined): Stripe.Event {
    try {
      return this.#stripe.webhooks.constructEvent(body, signature ?? "", this.#config.webhookSecret);
    } catch {
      throw new HttpError(400, "Invalid signature");
    }
  }
}

export class ProviderCalls {
  readonly #stripe: Stripe;
  readonly #config: StripeConfig;
  readonly #deadline: number;

  constructor(stripe: Stripe, config: StripeConfig, deadline: number) {
    this.#stripe = stripe;
    this.#config = config;
    this.#deadline = deadline;
  }

  /** The idempotency key is fixed per user, so that concurrent requests get the same customer. */
  async createCustomer(userId: string, email: string): Promise<string> {
    const customer = await this.#call((timeout) =>
      this.#stripe.customers.create(
        { email, metadata: { userId } },
        { timeout, idempotencyKey: `customer-${userId}` },
      ),
    );
    return customer.id;
  }

  async openCheckout({ userId, customerId, tier, successUrl, cancelUrl }: Checkout): Promise<string> {
    const parameters: Stripe.Checkout.SessionCreateParams = {
      mode: "subscription",
      customer: customerId,
      client_reference_id: userId,
      line_items: [{ price: this.#config.prices[tier], quantity: 1 }],
      success_url: successUrl,
      cancel_url: cancelUrl,
    };
    // The idempotency key includes the minute: a second click within it opens the same checkout.
    const minute = Math.floor(Date.now() / 60_000);
    const idempotencyKey = `checkout-${createHash("sha256")
      .update(JSON.stringify([parameters, minute]))
      .digest("hex")}`;
    const session = await this.#call((timeout) =>
      this.#stripe.checkout.sessions.create(parameters, { timeout, idempotencyKey }),
    );
    if (!session.url) throw new Error("The payment provider opened a checkout without an address");
    return session.url;
  }

  async openPortal(customerId: string, returnUrl: string): Promise<string> {
    const session = await this.#call((timeout) =>
      this.#stripe.billingPortal.sessions.create(
        { customer: customerId, return_url: returnUrl },
        { timeout, idempotencyKey: `portal-${crypto.randomUUID()}` },
      ),
    );
    return session.url;
  }

  async subscriptionsOf(customerId: string): Promise<ProviderSubscription[]> {
    const list = await this.#call((timeout) =>
      this.#stripe.subscriptions.list({ customer: customerId, status: "all", limit: 100 }, { timeout }),
    );
    return list.data.map((subscription) => toProviderSubscription(subscription, this.#config.prices));
  }

  async cancel(subscriptionId: string): Promise<void> {
    await this.#call((timeout) =>
      this.#stripe.subscriptions.cancel(
        subscriptionId,
        {},
        { timeout, idempotencyKey: `cancel-${subscriptionId}` },
      ),
    );
  }

  /** The library's timeout only detects an idle socket; this deadline also ends a slow, trickling response. */
  async #call<T>(work: (timeoutMs: number) => Promise<T>): Promise<T> {
    const remainingMs = this.#deadline - Date.now();
    if (remainingMs <= 0) throw unavailable("deadline");
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable("deadline")), remainingMs);
    });
    try {
      return await Promise.race([work(remainingMs), timeout]);
    } catch (error) {
      throw error instanceof Stripe.errors.StripeError ? unavailable(error.type) : error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The reason appears only in the log. */
const unavailable = (reason: string) =>
  new HttpError(
    503,
    "The payment provider does not answer. Try again later.",
    { "retry-after": "10" },
    { cause: reason },
  );

/** Tests point the library at a stand-in server. */
function parseApiBase(apiBase: string | undefined): Pick<Stripe.StripeConfig, "host" | "port" | "protocol"> {
  if (apiBase === undefined) return {};
  const { hostname, port, protocol } = new URL(apiBase);
  return {
    host: hostname,
    port: port || (protocol === "https:" ? 443 : 80),
    protocol: protocol === "https:" ? "https" : "http",
  };
}
