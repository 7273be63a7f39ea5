import { setTimeout as sleep } from "node:timers/promises";
import type { Tier } from "@whytrace/contract/schemas/billing";
import Stripe from "stripe";
import type { StripeConfig } from "../config.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { type ProviderSubscription, toProviderSubscription } from "./provider-subscription.ts";

const KEY_IN_USE_PAUSE_MS = 100;

type PaidTier = Exclude<Tier, "FREE">;

export interface Checkout {
  workspaceId: WorkspaceId;
  customerId: string;
  tier: PaidTier;
  successUrl: string;
  cancelUrl: string;
  attempt: number;
}

/**
 * Calls to the payment provider with a common deadline. The provider repeats its first response to an idempotency key
 * for a day, even if it was an error, so every key contains the number of the caller's attempt.
 */
export class ProviderCalls {
  readonly #stripe: Stripe;
  readonly #config: StripeConfig;
  readonly #deadline: number;

  constructor(stripe: Stripe, config: StripeConfig, deadline: number) {
    this.#stripe = stripe;
    this.#config = config;
    this.#deadline = deadline;
  }

  async createCustomer(workspaceId: WorkspaceId, email: string, attempt: number): Promise<string> {
    const customer = await this.#call((timeout) =>
      this.#stripe.customers.create(
        { email, metadata: { workspaceId } },
        { timeout, idempotencyKey: `customer-${workspaceId}-${attempt}` },
      ),
    );
    return customer.id;
  }

  async openCheckout(checkout: Checkout): Promise<{ id: string; url: string }> {
    const { workspaceId, customerId, tier, successUrl, cancelUrl, attempt } = checkout;
    const session = await this.#call((timeout) =>
      this.#stripe.checkout.sessions.create(
        {
          mode: "subscription",
          customer: customerId,
          client_reference_id: workspaceId,
          line_items: [{ price: this.#config.prices[tier], quantity: 1 }],
          metadata: { attempt: String(attempt) },
          success_url: successUrl,
          cancel_url: cancelUrl,
        },
        { timeout, idempotencyKey: `checkout-${workspaceId}-${attempt}` },
      ),
    );
    if (!session.url) throw new Error("The payment provider opened a checkout without an address");
    return { id: session.id, url: session.url };
  }

  /** The customer's checkouts that can still be paid. `attempt` is 0 for those that the server did not open. */
  async openCheckouts(customerId: string): Promise<{ id: string; attempt: number }[]> {
    const list = await this.#call((timeout) =>
      this.#stripe.checkout.sessions.list({ customer: customerId, status: "open", limit: 100 }, { timeout }),
    );
    return list.data.map(({ id, metadata }) => ({ id, attempt: Number(metadata?.attempt ?? 0) }));
  }

  /** Returns false if the checkout was paid or has expired meanwhile. */
  async expireCheckout(id: string): Promise<boolean> {
    return this.#call(async (timeout) => {
      try {
        await this.#stripe.checkout.sessions.expire(
          id,
          {},
          { timeout, idempotencyKey: `expire-${crypto.randomUUID()}` },
        );
        return true;
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return false;
        throw error;
      }
    });
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

  /** A subscription that is already cancelled stays so: the caller has listed those that are not. */
  async cancel(subscriptionId: string): Promise<void> {
    await this.#call((timeout) =>
      this.#stripe.subscriptions.cancel(
        subscriptionId,
        {},
        { timeout, idempotencyKey: `cancel-${crypto.randomUUID()}` },
      ),
    );
  }

  /** Invoices that the customer paid since a time, with the part that was not refunded yet. */
  async paidInvoices(customerId: string, sinceSeconds: number): Promise<{ id: string; amount: number }[]> {
    const list = await this.#call((timeout) =>
      this.#stripe.invoices.list(
        { customer: customerId, status: "paid", created: { gte: sinceSeconds }, limit: 100 },
        { timeout },
      ),
    );
    return list.data.map(({ id, amount_paid, post_payment_credit_notes_amount }) => ({
      id,
      amount: amount_paid - post_payment_credit_notes_amount,
    }));
  }

  /** Refunds a paid invoice with a credit note. The caller numbers its attempts, so that none refunds twice. */
  async refund(invoice: { id: string; amount: number }, attempt: number): Promise<void> {
    const { id, amount } = invoice;
    await this.#call((timeout) =>
      this.#stripe.creditNotes.create(
        { invoice: id, amount, refund_amount: amount, memo: "The account was deleted before this payment." },
        { timeout, idempotencyKey: `refund-${id}-${attempt}` },
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
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      if (error.code !== "idempotency_key_in_use") throw unavailable(error.type);
    } finally {
      clearTimeout(timer);
    }
    // A concurrent request makes the same call. Its result follows.
    await sleep(KEY_IN_USE_PAUSE_MS);
    return this.#call(work);
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
