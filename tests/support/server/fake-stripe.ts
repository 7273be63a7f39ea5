import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const WEBHOOK_SECRET = "whsec_fake";
export const PRICES = { STARTER: "price_starter", PRO: "price_pro" };

export interface FakeSubscription {
  id: string;
  customer: string;
  status: string;
  price: string;
  created: number;
  periodStart: number;
}

interface FakeCheckout {
  id: string;
  customer: string;
  price: string;
  status: "open" | "complete" | "expired";
  metadata: Record<string, string>;
}

interface FakeInvoice {
  id: string;
  customer: string;
  amountPaid: number;
  amountRefunded: number;
  created: number;
}

interface RecordedRequest {
  method: string;
  path: string;
  form: URLSearchParams;
  idempotencyKey: string | undefined;
}

const MONTH_SECONDS = 2_592_000;

/** The parameters that each write accepts. Others are rejected, as by the real provider. */
const ALLOWED_PARAMETERS: Record<string, RegExp[]> = {
  "/v1/customers": [/^email$/, /^metadata\[workspaceId\]$/],
  "/v1/checkout/sessions": [
    /^mode$/,
    /^customer$/,
    /^client_reference_id$/,
    /^line_items\[0\]\[(price|quantity)\]$/,
    /^metadata\[attempt\]$/,
    /^success_url$/,
    /^cancel_url$/,
  ],
  "/v1/billing_portal/sessions": [/^customer$/, /^return_url$/],
  "/v1/credit_notes": [/^invoice$/, /^amount$/, /^refund_amount$/, /^memo$/],
};

const PRICE_CENTS: Record<string, number> = { [PRICES.STARTER]: 500, [PRICES.PRO]: 2_000 };
/** How long a write takes: a second request with the same idempotency key meanwhile is refused. */
const WRITE_MS = 5;

/**
 * A fake Stripe on loopback: an HTTP server that stores customers, checkouts, subscriptions and invoices, and signs its
 * events.
 */
export class FakeStripe {
  readonly calls: RecordedRequest[] = [];
  readonly customers = new Map<string, { email: string; workspaceId: string }>();
  readonly subscriptions = new Map<string, FakeSubscription>();
  readonly checkouts = new Map<string, FakeCheckout>();
  readonly invoices = new Map<string, FakeInvoice>();
  /** Respond normally, with status 500, after a delay, or when the test says so. */
  behaviour: "normal" | "failing" | { delayMs: number } | { until: Promise<void> } = "normal";
  #server: Server | undefined;
  #port = 0;
  readonly #responses = new Map<string, { fingerprint: string; response?: [number, object] }>();

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

  /** Starts listening and returns the environment for a server that uses this provider. */
  async settings(): Promise<Record<string, string>> {
    return {
      STRIPE_API_BASE: await this.listen(),
      STRIPE_SECRET_KEY: "sk_test_fake",
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICE_STARTER: PRICES.STARTER,
      STRIPE_PRICE_PRO: PRICES.PRO,
    };
  }

  /** Stores a subscription and returns it as the object of an event. */
  put(subscription: FakeSubscription): object {
    this.subscriptions.set(subscription.id, subscription);
    return toObject(subscription);
  }

  /** A person pays on the page of a checkout: a subscription starts, and its first invoice is paid. */
  pay(checkoutUrl: string): FakeSubscription {
    const checkout = this.checkouts.get(checkoutUrl.split("/").at(-1) ?? "");
    if (checkout?.status !== "open") throw new Error(`This checkout is ${checkout?.status ?? "unknown"}`);
    this.checkouts.set(checkout.id, { ...checkout, status: "complete" });
    const { customer, price } = checkout;
    const created = Math.floor(Date.now() / 1_000);
    const subscription = {
      id: `sub_${randomUUID()}`,
      customer,
      status: "active",
      price,
      created,
      periodStart: created,
    };
    this.put(subscription);
    const invoice = `in_${randomUUID()}`;
    this.invoices.set(invoice, {
      id: invoice,
      customer,
      amountPaid: PRICE_CENTS[price] ?? 0,
      amountRefunded: 0,
      created,
    });
    return subscription;
  }

  async #handle(request: IncomingMessage, response: ServerResponse) {
    let body = "";
    for await (const part of request) body += part;
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://fake-stripe");
    const form = new URLSearchParams(body);
    const key = request.headers["idempotency-key"];
    const idempotencyKey = typeof key === "string" ? key : undefined;
    this.calls.push({ method: request.method ?? "", path: pathname, form, idempotencyKey });
    if (typeof this.behaviour === "object")
      await ("until" in this.behaviour ? this.behaviour.until : sleep(this.behaviour.delayMs));
    const [status, json] =
      request.headers.authorization !== "Bearer sk_test_fake"
        ? [401, { error: { type: "invalid_request_error", message: "no such key" } }]
        : request.method !== "GET"
          ? await this.#write(pathname, form, request.method ?? "", idempotencyKey)
          : this.behaviour === "failing"
            ? OUT_OF_ORDER
            : this.#read(pathname, searchParams);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
  }

  #read(path: string, query: URLSearchParams): [number, object] {
    const customer = query.get("customer") ?? "";
    if (!this.customers.has(customer)) return [404, invalid("no such customer")];
    const data = this.#list(path, query)?.filter((one) => one.customer === customer);
    if (!data) return [404, invalid(`no such path ${path}`)];
    return [200, { object: "list", data, has_more: false, url: path }];
  }

  #list(path: string, query: URLSearchParams): { customer: string }[] | undefined {
    if (path === "/v1/subscriptions") return [...this.subscriptions.values()].map(toObject);
    if (path === "/v1/checkout/sessions")
      return [...this.checkouts.values()]
        .filter(({ status }) => status === query.get("status"))
        .map((checkout) => ({ ...checkout, object: "checkout.session" }));
    if (path === "/v1/invoices" && query.get("status") === "paid")
      return [...this.invoices.values()]
        .filter(({ created }) => created >= Number(query.get("created[gte]") ?? 0))
        .map(({ amountPaid, amountRefunded, ...invoice }) => ({
          ...invoice,
          object: "invoice",
          amount_paid: amountPaid,
          post_payment_credit_notes_amount: amountRefunded,
        }));
    return undefined;
  }

  /**
   * Like the provider: a repeated idempotency key returns the first response, even an error, and rejects other
   * parameters. While the first request runs, a second one is refused.
   */
  async #write(
    path: string,
    form: URLSearchParams,
    method: string,
    key: string | undefined,
  ): Promise<[number, object]> {
    if (!key) return [400, invalid("a write without an idempotency key")];
    const fingerprint = `${method} ${path} ${form}`;
    const known = this.#responses.get(key);
    if (known && known.fingerprint !== fingerprint) return [400, invalid("key used with other parameters")];
    if (known) return known.response ?? [409, KEY_IN_USE];
    this.#responses.set(key, { fingerprint });
    await sleep(WRITE_MS);
    const response = this.behaviour === "failing" ? OUT_OF_ORDER : this.#change(path, form, method);
    this.#responses.set(key, { fingerprint, response });
    return response;
  }

  #change(path: string, form: URLSearchParams, method: string): [number, object] {
    const cancelled = /^\/v1\/subscriptions\/(.+)$/.exec(path)?.[1];
    if (method === "DELETE" && cancelled) {
      const subscription = this.subscriptions.get(cancelled);
      if (!subscription) return [404, invalid("no such subscription")];
      return [200, this.put({ ...subscription, status: "canceled" })];
    }
    const expired = /^\/v1\/checkout\/sessions\/(.+)\/expire$/.exec(path)?.[1];
    if (expired) return this.#expire(expired);
    const unknown = [...form.keys()].filter(
      (name) => !ALLOWED_PARAMETERS[path]?.some((allowed) => allowed.test(name)),
    );
    if (unknown.length > 0 || !ALLOWED_PARAMETERS[path])
      return [400, invalid(`${path}: unknown ${unknown.join(", ")}`)];
    if (path === "/v1/credit_notes") return this.#refund(form);
    const customer = form.get("customer") ?? "";
    if (path !== "/v1/customers" && !this.customers.has(customer)) return [400, invalid("no such customer")];
    if (path === "/v1/customers") {
      const id = `cus_${randomUUID().slice(0, 8)}`;
      this.customers.set(id, {
        email: form.get("email") ?? "",
        workspaceId: form.get("metadata[workspaceId]") ?? "",
      });
      return [200, { id, object: "customer" }];
    }
    if (path === "/v1/billing_portal/sessions")
      return [200, { id: "bps", object: "billing_portal.session", url: `https://billing.test/${customer}` }];
    if (
      form.get("mode") !== "subscription" ||
      !Object.values(PRICES).includes(form.get("line_items[0][price]") ?? "")
    )
      return [400, invalid("unknown mode or price")];
    const id = `cs_${randomUUID()}`;
    const price = form.get("line_items[0][price]") ?? "";
    const metadata = { attempt: form.get("metadata[attempt]") ?? "" };
    this.checkouts.set(id, { id, customer, price, status: "open", metadata });
    return [200, { id, object: "checkout.session", url: `https://checkout.test/${id}` }];
  }

  #expire(id: string): [number, object] {
    const checkout = this.checkouts.get(id);
    if (!checkout) return [404, invalid("no such checkout session")];
    if (checkout.status !== "open") return [400, invalid(`this session has a status of ${checkout.status}`)];
    this.checkouts.set(id, { ...checkout, status: "expired" });
    return [200, { id, object: "checkout.session", status: "expired", url: null }];
  }

  /** A credit note for a paid invoice: the whole amount must be refunded, and no more than was paid. */
  #refund(form: URLSearchParams): [number, object] {
    const invoice = this.invoices.get(form.get("invoice") ?? "");
    if (!invoice) return [404, invalid("no such invoice")];
    const amount = Number(form.get("amount"));
    if (amount !== Number(form.get("refund_amount"))) return [400, invalid("amount and refund differ")];
    if (!(amount > 0 && amount <= invoice.amountPaid - invoice.amountRefunded))
      return [400, invalid("more than was paid")];
    this.invoices.set(invoice.id, { ...invoice, amountRefunded: invoice.amountRefunded + amount });
    return [200, { id: `cn_${randomUUID()}`, object: "credit_note" }];
  }
}

const OUT_OF_ORDER: [number, object] = [500, { error: { type: "api_error", message: "out of order" } }];
const KEY_IN_USE = {
  error: {
    type: "idempotency_error",
    code: "idempotency_key_in_use",
    message: "another request with this key is running",
  },
};

const invalid = (message: string) => ({ error: { type: "invalid_request_error", message } });

function toObject({ id, customer, status, price, created, periodStart }: FakeSubscription) {
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

interface Delivery {
  body: string;
  signature: string;
}

/** A signed event as the provider delivers it; `key` and `at` make a forged or stale one. */
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
