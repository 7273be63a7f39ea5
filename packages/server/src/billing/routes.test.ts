import { leastOf } from "@whytrace/testing/least-of.ts";
import { DatabaseProxy } from "@whytrace/testing/postgres/database-proxy.ts";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { bootWithStripe, subscriptionOf } from "@whytrace/testing/server/boot-with-stripe.ts";
import { deliver, delivery, type FakeSubscription, PRICES } from "@whytrace/testing/server/fake-stripe.ts";
import { startStopwatch } from "@whytrace/testing/stopwatch.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const LIVES = volume(50);
const MONTH_SECONDS = 2_592_000;
const first = await bootWithStripe();
const { stripe, settings, newCustomer } = first;
const second = await boot({ ...settings, DATABASE_URL: first.databaseUrl });

const row = async (user: Sender) => {
  const { rows } = await sql<{
    tier: string;
    sessionsLimit: number;
    sessionsUsed: number;
    status: string;
    priceId: string;
    periodStart: string | null;
  }>`
    select tier, sessions_limit, sessions_used, provider_status as status, provider_price_id as price_id, period_start
    from subscriptions where workspace_id = ${user.workspaceId}`.execute(first.db);
  return rows[0];
};
const use = (user: Sender, used: number) =>
  sql`update subscriptions set sessions_used = ${used} where workspace_id = ${user.workspaceId}`.execute(
    first.db,
  );

describe("GET /api/billing", () => {
  it("returns a FREE user's usage of today, its reset time and the plans", async () => {
    const user = await newSender(first.client, first.db, "FREE");
    await user.send([trace(), trace()]);
    const { json } = await user.get("/api/billing");
    expect(json).toEqual({
      tier: "FREE",
      status: "active",
      sessionsLimit: 20,
      sessionsUsed: 2,
      period: "day",
      resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
      refused: null,
      tiers: [
        { tier: "FREE", sessionsLimit: 20, period: "day", priceUsd: 0 },
        { tier: "STARTER", sessionsLimit: 1_000, period: "month", priceUsd: 5 },
        { tier: "PRO", sessionsLimit: 100_000, period: "month", priceUsd: 20 },
      ],
    });
    expect(Date.parse(json.resetsAt)).toBeGreaterThan(Date.now());
  });

  it("resets a paid plan at the end of the provider's period, or of the UTC month without a period", async () => {
    const plain = await newSender(first.client, first.db, "PRO");
    expect((await plain.get("/api/billing")).json.resetsAt).toMatch(/-01T00:00:00\.000Z$/);
    const { user, customer } = await newCustomer();
    const start = Math.floor(Date.now() / 1_000);
    await deliver(
      first.server.url,
      delivery("customer.subscription.created", stripe.put(subscriptionOf(customer, { periodStart: start }))),
    );
    expect((await user.get("/api/billing")).json).toMatchObject({
      tier: "STARTER",
      period: "month",
      resetsAt: new Date((start + MONTH_SECONDS) * 1_000).toISOString(),
    });
  });

  it("works without a payment provider; endpoints that need one return 503", async () => {
    const { client } = await boot({ DATABASE_URL: first.databaseUrl });
    const user = await newSender(client, first.db, "FREE");
    expect((await user.get("/api/billing")).status).toBe(200);
    for (const [path, body] of [
      ["checkout", { tier: "PRO" }],
      ["portal", {}],
    ] as const) {
      const response = await user.post(`/api/billing/${path}`, body);
      expect([response.status, response.json]).toEqual([503, { error: "Billing is not configured" }]);
    }
    const hook = await deliver(client.url, delivery("invoice.paid", {}));
    expect([hook.status, await hook.json()]).toEqual([503, { error: "Billing is not configured" }]);
  });
});

describe("checkout", () => {
  it("uses the plan's price and the user's customer, created once even by sixteen concurrent requests", async () => {
    const user = await newSender(first.client, first.db, "FREE");
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        (i % 2 ? user : user.at(second.client.url)).post("/api/billing/checkout", { tier: "PRO" }),
      ),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(16).fill(200));
    expect(
      [...stripe.customers.values()].filter(({ workspaceId }) => workspaceId === user.workspaceId),
    ).toHaveLength(1);
    const call = stripe.calls.findLast(({ path }) => path === "/v1/checkout/sessions");
    expect(call?.form.get("line_items[0][price]")).toBe(PRICES.PRO);
    expect(call?.form.get("success_url")).toBe(
      `${new URL(call?.form.get("success_url") ?? "").origin}${await prefixOf(first.db, user)}/settings/billing?checkout=success`,
    );
    expect(
      stripe.calls.filter(({ method }) => method !== "GET").every(({ idempotencyKey }) => idempotencyKey),
    ).toBe(true);
  });

  it("is rejected for a subscriber, even before the webhook has arrived", async () => {
    const { user, customer } = await newCustomer();
    stripe.put(subscriptionOf(customer));
    const response = await user.post("/api/billing/checkout", { tier: "PRO" });
    expect(response.status).toBe(409);
    stripe.put(
      subscriptionOf(customer, {
        id: [...stripe.subscriptions.values()].findLast((one) => one.customer === customer)?.id ?? "",
        status: "canceled",
      }),
    );
    expect((await user.post("/api/billing/checkout", { tier: "PRO" })).status).toBe(200);
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://localhost:3000@evil.example/",
    "javascript:alert(1)",
    "http://localhost:3001/",
    "https://localhost:3000/",
    "http://localhost.evil.example:3000/",
    "http://user@localhost:3000/",
    "/settings/billing",
    "",
    " data:text/html,x",
  ])("rejects the redirect target %j", async (target) => {
    const user = await newSender(first.client, first.db, "FREE");
    for (const [path, body] of [
      ["checkout", { tier: "PRO", successUrl: target }],
      ["checkout", { tier: "PRO", cancelUrl: target }],
      ["portal", { returnUrl: target }],
    ] as const) {
      const response = await user.post(`/api/billing/${path}`, body);
      expect([response.status, response.json]).toEqual([400, { error: "Redirect URL is not allowed" }]);
    }
  });

  it.each(["FREE", "__proto__", "ENTERPRISE", 7, undefined])("rejects the unknown plan %s", async (tier) => {
    const user = await newSender(first.client, first.db, "FREE");
    expect((await user.post("/api/billing/checkout", { tier })).status).toBe(400);
  });

  it("is required before the portal opens: without a customer the portal is 409", async () => {
    const { user, customer } = await newCustomer();
    expect(
      (await user.post("/api/billing/portal", { returnUrl: "http://localhost:3000/settings/billing" })).json,
    ).toEqual({ url: `https://billing.test/${customer}` });
    expect((await user.post("/api/billing/portal")).status).toBe(200);
    const stranger = await newSender(first.client, first.db, "FREE");
    expect((await stranger.post("/api/billing/portal", {})).status).toBe(409);
  });
});

describe("a failing provider", () => {
  it.each([
    ["responding with 500", "failing"],
    ["taking 30 s", { delayMs: 30_000 }],
  ] as const)("%s: checkout is 503 within 5 s, and other requests are not delayed", async (_, behaviour) => {
    const shareOfLimits = async () => {
      stripe.behaviour = "normal";
      const { user, customer } = await newCustomer();
      stripe.behaviour = behaviour;
      const elapsedMs = startStopwatch();
      const pending = Promise.all([
        ...Array.from({ length: 12 }, () => user.post("/api/billing/checkout", { tier: "PRO" })),
        ...Array.from({ length: 12 }, () =>
          deliver(first.server.url, delivery("invoice.paid", { customer })),
        ),
      ]);
      const others = await newSender(first.client, first.db, "PRO");
      const elapsedSendMs = startStopwatch();
      expect((await others.send([trace()])).status).toBe(200);
      expect((await user.send([trace()])).status).toBe(200);
      const ofSends = elapsedSendMs() / 1_500;
      for (const response of await pending) {
        expect(response.status).toBe(503);
        expect(response.headers.get("retry-after")).toBe("10");
      }
      return Math.max(ofSends, elapsedMs() / 5_000);
    };
    expect(await leastOf(1, shareOfLimits)).toBeLessThan(1);
  });

  it("that refuses connections is 503 at once", async () => {
    const { client, db } = await boot({ ...settings, STRIPE_API_BASE: "http://127.0.0.1:1" });
    const user = await newSender(client, db, "FREE");
    expect((await user.post("/api/billing/checkout", { tier: "PRO" })).status).toBe(503);
  });
});

describe("webhooks", () => {
  it("require the provider's recent signature over the exact bytes", async () => {
    const good = delivery("invoice.paid", {});
    const send = async (one: { body: string; signature: string }) => {
      const response = await deliver(first.server.url, one);
      return [response.status, await response.json()];
    };
    const rejected = [400, { error: "Invalid signature" }];
    expect(await send({ ...good, signature: "t=1,v1=00" })).toEqual(rejected);
    expect(await send({ ...good, signature: "" })).toEqual(rejected);
    expect(await send({ ...good, body: good.body.replace("paid", "Paid") })).toEqual(rejected);
    expect(await send(delivery("invoice.paid", {}, { key: "whsec_other" }))).toEqual(rejected);
    expect(await send(delivery("invoice.paid", {}, { key: "" }))).toEqual(rejected);
    expect(await send(delivery("invoice.paid", {}, { at: Date.now() - 3_600_000 }))).toEqual(rejected);
    expect(await send(good)).toEqual([200, { received: true }]);
  });

  it("of unknown types, customers and prices are acknowledged and change nothing", async () => {
    const { user, customer } = await newCustomer();
    const before = await row(user);
    for (const one of [
      delivery("customer.created", { id: customer }),
      delivery("customer.subscription.updated", { customer: "cus_unknown" }),
      delivery("customer.subscription.updated", {}),
    ])
      expect((await deliver(first.server.url, one)).status).toBe(200);
    expect(await row(user)).toEqual(before);
    await deliver(
      first.server.url,
      delivery(
        "customer.subscription.created",
        stripe.put(subscriptionOf(customer, { price: "price_of_another_product" })),
      ),
    );
    expect(await row(user)).toMatchObject({ tier: "FREE", sessionsLimit: 20 });
  });

  it("received by two servers at once are applied once", async () => {
    const { user, customer } = await newCustomer();
    const subscription = subscriptionOf(customer);
    await deliver(first.server.url, delivery("customer.subscription.created", stripe.put(subscription)));
    await use(user, 7);
    const renewal = delivery("invoice.paid", { customer, object: "invoice" });
    stripe.put({ ...subscription, periodStart: subscription.periodStart + MONTH_SECONDS });
    const responses = await Promise.all(
      [first, second, first, second].map(({ server }) => deliver(server.url, renewal)),
    );
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200]);
    expect((await row(user))?.sessionsUsed).toBe(0);
    await use(user, 3);
    await Promise.all([
      deliver(first.server.url, renewal),
      deliver(second.server.url, delivery("customer.subscription.updated", { customer })),
    ]);
    expect((await row(user))?.sessionsUsed).toBe(3);
  });

  it("rejected while the database is down are accepted when delivered again", async () => {
    const { user, customer } = await newCustomer();
    const proxy = new DatabaseProxy(first.databaseUrl);
    const { server } = await boot({ ...settings, DATABASE_URL: await proxy.open() });
    const event = delivery(
      "customer.subscription.created",
      stripe.put(subscriptionOf(customer, { price: PRICES.PRO })),
    );
    await proxy.disconnect();
    expect((await deliver(server.url, event)).status).toBe(503);
    await proxy.open();
    await expect.poll(async () => (await deliver(server.url, event)).status).toBe(200);
    expect(await row(user)).toMatchObject({ tier: "PRO", sessionsLimit: 100_000, status: "active" });
  });

  it("of a failed payment notify the user, once per event", async () => {
    const { user, customer } = await newCustomer();
    stripe.put(subscriptionOf(customer, { status: "past_due" }));
    const event = delivery("invoice.payment_failed", { customer });
    for (let i = 0; i < 3; i += 1) await deliver(i % 2 ? first.server.url : second.server.url, event);
    const { rows } = await sql<{ text: string }>`
      select text_body as text from mail_outbox
      where recipient = ${user.email} and subject like '%payment failed'`.execute(first.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).toContain(`${await prefixOf(first.db, user)}/settings/billing\n`);
    expect(await row(user)).toMatchObject({ tier: "STARTER", status: "past_due" });
  });
});

describe("a subscription's lifecycle", () => {
  /** Changes at the provider, in order, each with the events it sends. */
  const LIFECYCLE: [change: Partial<FakeSubscription>, events: string[]][] = [
    [{ status: "active" }, ["checkout.session.completed", "customer.subscription.created"]],
    [{ price: PRICES.PRO }, ["customer.subscription.updated"]],
    [{ periodStart: 1_800_000_000 + MONTH_SECONDS }, ["customer.subscription.updated", "invoice.paid"]],
    [{ status: "past_due" }, ["customer.subscription.updated", "invoice.payment_failed"]],
    [{ status: "active" }, ["customer.subscription.updated", "invoice.paid"]],
    [{ price: PRICES.STARTER }, ["customer.subscription.updated"]],
    [{ status: "canceled" }, ["customer.subscription.deleted"]],
  ];

  /** A seeded generator, so that a failed run can be repeated. */
  const random = (seed: number) => () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
  const shuffle = <T>(items: T[], next: () => number) =>
    items
      .map((item) => ({ item, key: next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);

  it(
    `ends in the provider's state, with one usage reset per period, for events in any order (${LIVES} runs)`,
    async () => {
      for (let seed = 1; seed <= LIVES; seed += 1) {
        const next = random(seed);
        const { user, customer } = await newCustomer();
        let subscription = subscriptionOf(customer);
        const steps = LIFECYCLE.slice(0, 1 + Math.floor(next() * LIFECYCLE.length));
        let pending: ReturnType<typeof delivery>[] = [];
        let sent: ReturnType<typeof delivery>[] = [];
        let currentPeriod = "";
        for (const [change, kinds] of steps) {
          subscription = { ...subscription, ...change };
          const object = stripe.put(subscription);
          pending.push(
            ...kinds.map((kind) => delivery(kind, kind.startsWith("customer") ? object : { customer })),
          );
          // Delivers some pending events now, some later, and some again, in random order and to both servers.
          const now = shuffle(
            [...pending.filter(() => next() < 0.5), ...sent.filter(() => next() < 0.3)],
            next,
          );
          pending = pending.filter((one) => !now.includes(one));
          sent = [...sent, ...now];
          const responses = await Promise.all(
            now.map((one, i) => deliver(i % 2 ? first.server.url : second.server.url, one)),
          );
          for (const response of responses) expect(response.status, `seed ${seed}`).toBe(200);
          const state = await row(user);
          const period = `${state?.periodStart}`;
          if (state?.periodStart && period !== currentPeriod) {
            expect(state.sessionsUsed, `seed ${seed}: a period starts at 0`).toBe(0);
            currentPeriod = period;
          } else if (currentPeriod) expect(state?.sessionsUsed, `seed ${seed}: a period starts once`).toBe(5);
          if (currentPeriod) await use(user, 5);
        }
        const rest = shuffle([...pending, ...pending, ...sent], next);
        await Promise.all(rest.map((one, i) => deliver(i % 3 ? first.server.url : second.server.url, one)));
        const isLive = subscription.status !== "canceled";
        const tier = isLive ? (subscription.price === PRICES.PRO ? "PRO" : "STARTER") : "FREE";
        expect(await row(user), `seed ${seed}`).toMatchObject({
          tier,
          sessionsLimit: { FREE: 20, STARTER: 1_000, PRO: 100_000 }[tier],
          status: subscription.status,
          priceId: subscription.price,
          periodStart: new Date(subscription.periodStart * 1_000).toISOString(),
        });
        if (currentPeriod === new Date(subscription.periodStart * 1_000).toISOString())
          expect((await row(user))?.sessionsUsed, `seed ${seed}`).toBe(5);
      }
    },
    60_000 + LIVES * 2_000,
  );

  it("uses the newer of two subscriptions of one customer", async () => {
    const { user, customer } = await newCustomer();
    stripe.put(subscriptionOf(customer, { status: "canceled", price: PRICES.PRO }));
    await deliver(
      first.server.url,
      delivery(
        "customer.subscription.created",
        stripe.put(subscriptionOf(customer, { created: 1_900_000_000 })),
      ),
    );
    expect(await row(user)).toMatchObject({ tier: "STARTER", status: "active" });
  });
});
