import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export const WEBHOOK_SECRET = "whsec_standin";
export const PRICES = { STARTER: "price_starter", PRO: "price_pro" };

export interface StandinSubscription {
  id: string;
  customer: string;
  status: string;
  price: string;
  created: number;
  periodStart: number;
}

interface Call {
  method: string;
  path: string;
  form: URLSearchParams;
  idempotencyKey: string | undefined;
}

const MONTH_SECONDS = 2_592_000;

/** What each write takes, and not a parameter more: a call the real provider would refuse is refused here. */
const PARAMETERS: Record<string, RegExp[]> = {
  "/v1/customers": [/^email$/, /^metadata\[userId\]$/],
  "/v1/checkout/sessions": [
    /^mode$/,
    /^customer$/,
    /^client_reference_id$/,
    /^line_items\[0\]\[(price|quantity)\]$/,
    /^success_url$/,
    /^cancel_url$/,
  ],
  "/v1/billing_portal/sessions": [/^customer$/, /^return_url$/],
};

/** The payment provider on loopback: a real HTTP server that keeps customers and subscriptions and signs its events. */
export class StripeStandin {
  readonly calls: Call[] = [];
  readonly customers = new Map<string, { email: string; userId: string }>();
  readonly subscriptions = new Map<string, StandinSubscription>();
  /** How it answers: as it should, with 500, after so long, or not at all. */
  mood: "well" | "failing" | { delayMs: number } = "well";
  #server: Server | undefined;
  #port = 0;
  readonly #answers = new Map<string, { fingerprint: string; answer: Promise<[number, object]> }>();

  async listen(): Promise<string> {
    this.#server = createServer((request, response) => void this.#handle(request, response)).listen(
      this.#port,
      "127.0.0.1",
    );
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    return `http://127.0.0.1:${this.#port}`;
  }

  async close() {
    this.#server?.closeAllConnections();
    await new Promise((closed) => this.#server?.close(closed));
  }

  /** Settings for a server that pays here. */
  async settings(): Promise<Record<string, string>> {
    return {
      STRIPE_API_BASE: await this.listen(),
      STRIPE_SECRET_KEY: "sk_test_standin",
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICE_STARTER: PRICES.STARTER,
      STRIPE_PRICE_PRO: PRICES.PRO,
    };
  }

  /** Changes a subscription as the provider would, and returns what an event says of it. */
  put(subscription: StandinSubscription): object {
    this.subscriptions.set(subscription.id, subscription);
    return toObject(subscription);
  }

  async #handle(request: IncomingMessage, response: ServerResponse) {
    let body = "";
    for await (const part of request) body += part;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://standin");
    const form = new URLSearchParams(body);
    const key = request.headers["idempotency-key"];
    const idempotencyKey = typeof key === "string" ? key : undefined;
    this.calls.push({ method: request.method ?? "", path: pathname, form, idempotencyKey });
    if (typeof this.mood === "object") await sleep(this.mood.delayMs);
    const [status, json] =
      this.mood === "failing"
        ? [500, { error: { type: "api_error", message: "out of order" } }]
        : request.headers.authorization !== "Bearer sk_test_standin"
          ? [401, { error: { type: "invalid_request_error", message: "no such key" } }]
          : request.method === "GET"
            ? this.#read(pathname, searchParams)
            : await this.#write(pathname, form, request.method ?? "", idempotencyKey);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  }

  #read(path: string, query: URLSearchParams): [number, object] {
    if (path !== "/v1/subscriptions") return [404, invalid(`no such path ${path}`)];
    const customer = query.get("customer") ?? "";
    if (!this.customers.has(customer)) return [404, invalid("no such customer")];
    const data = [...this.subscriptions.values()].filter((one) => one.customer === customer).map(toObject);
    return [200, { object: "list", data, has_more: false, url: path }];
  }

  /** A key seen before gives the first answer again, and refuses other parameters, as the provider does. */
  async #write(
    path: string,
    form: URLSearchParams,
    method: string,
    key: string | undefined,
  ): Promise<[number, object]> {
    if (!key) return [400, invalid("a write without an idempotency key")];
    const fingerprint = `${method} ${path} ${form}`;
    const known = this.#answers.get(key);
    if (known && known.fingerprint !== fingerprint) return [400, invalid("key used with other parameters")];
    const answer = known?.answer ?? this.#change(path, form, method);
    this.#answers.set(key, { fingerprint, answer });
    return answer;
  }

  async #change(path: string, form: URLSearchParams, method: string): Promise<[number, object]> {
    const cancelled = /^\/v1\/subscriptions\/(.+)$/.exec(path)?.[1];
    if (method === "DELETE" && cancelled) {
      const subscription = this.subscriptions.get(cancelled);
      if (!subscription) return [404, invalid("no such subscription")];
      return [200, this.put({ ...subscription, status: "canceled" })];
    }
    const unknown = [...form.keys()].filter(
      (name) => !PARAMETERS[path]?.some((allowed) => allowed.test(name)),
    );
    if (unknown.length > 0 || !PARAMETERS[path])
      return [400, invalid(`${path}: unknown ${unknown.join(", ")}`)];
    const customer = form.get("customer") ?? "";
    if (path !== "/v1/customers" && !this.customers.has(customer)) return [400, invalid("no such customer")];
    if (path === "/v1/customers") {
      const id = `cus_${randomUUID().slice(0, 8)}`;
      this.customers.set(id, { email: form.get("email") ?? "", userId: form.get("metadata[userId]") ?? "" });
      return [200, { id, object: "customer" }];
    }
    if (path === "/v1/billing_portal/sessions")
      return [200, { id: "bps", object: "billing_portal.session", url: `https://billing.test/${customer}` }];
    if (
      form.get("mode") !== "subscription" ||
      !Object.values(PRICES).includes(form.get("line_items[0][price]") ?? "")
    )
      return [400, invalid("not a checkout of ours")];
    const id = `cs_${randomUUID()}`;
    return [200, { id, object: "checkout.session", url: `https://checkout.test/${id}` }];
  }
}

const invalid = (message: string) => ({ error: { type: "invalid_request_error", message } });

function toObject({ id, customer, status, price, created, periodStart }: StandinSubscription) {
  const period = { current_period_start: periodStart, current_period_end: periodStart + MONTH_SECONDS };
  const item = {
    id: `si_${id}`,
    object: "subscription_item",
    quantity: 1,
    price: { id: price, object: "price" },
    ...period,
  };
  return {
    id,
    object: "subscription",
    customer,
    status,
    created,
    metadata: {},
    items: { object: "list", data: [item] },
  };
}

export interface Delivery {
  body: string;
  signature: string;
}

/** An event as the provider delivers it; `key` and `at` for forged and stale ones. */
export function delivery(
  type: string,
  object: object,
  { id = `evt_${randomUUID()}`, key = WEBHOOK_SECRET, at = Date.now() } = {},
): Delivery {
  const seconds = Math.floor(at / 1_000);
  const body = JSON.stringify({
    id,
    object: "event",
    type,
    created: seconds,
    livemode: false,
    data: { object },
  });
  const signature = createHmac("sha256", key).update(`${seconds}.${body}`).digest("hex");
  return { body, signature: `t=${seconds},v1=${signature}` };
}

export const deliver = (url: string, { body, signature }: Delivery) =>
  fetch(`${url}/api/webhooks/stripe`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "stripe-signature": signature },
  });
