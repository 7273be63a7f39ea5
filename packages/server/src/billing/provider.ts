import Stripe from "stripe";
import type { StripeConfig } from "../config.ts";
import { HttpError } from "../http/http-error.ts";
import { ProviderCalls } from "./provider-calls.ts";

/** For all provider calls of one request together. */
const DEADLINE_MS = 4_000;

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
  withinDeadline(deadlineMs = DEADLINE_MS): ProviderCalls {
    return new ProviderCalls(this.#stripe, this.#config, Date.now() + deadlineMs);
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
