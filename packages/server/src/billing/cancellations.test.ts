import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { bootWithStripe, subscriptionOf } from "@whytrace/testing/server/boot-with-stripe.ts";
import { PASSWORD } from "@whytrace/testing/server/client.ts";
import { deliver, delivery } from "@whytrace/testing/server/fake-stripe.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db, server, stripe, newCustomer } = await bootWithStripe();

/** Waits until the server has tried so many times to end the payments of a customer. */
const untilTried = (customer: string, times: number) =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ attempts: number }>`
        select attempts from billing_cancellations where customer_id = ${customer}`.execute(db);
      return rows[0]?.attempts;
    })
    .toBeGreaterThanOrEqual(times);
/** Waits until the server has ended all payments of a customer. */
const untilEnded = (customer: string) =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select from billing_cancellations
        where customer_id = ${customer} and next_attempt_at < 'infinity'`.execute(db);
      return rows.length;
    })
    .toBe(0);
describe("deleting an account", () => {
  it("cancels its subscription at the provider, later if the provider is down", async () => {
    const { user, customer } = await newCustomer();
    const subscription = subscriptionOf(customer);
    await deliver(server.url, delivery("customer.subscription.created", stripe.put(subscription)));
    stripe.behaviour = "failing";
    expect((await user.delete("/api/account", { password: PASSWORD })).status).toBe(200);
    await untilTried(customer, 1);
    expect(stripe.subscriptions.get(subscription.id)?.status).toBe("active");
    stripe.behaviour = "normal";
    await sql`update billing_cancellations set next_attempt_at = now() where customer_id = ${customer}`.execute(
      db,
    );
    await expect.poll(() => stripe.subscriptions.get(subscription.id)?.status).toBe("canceled");
    await untilEnded(customer);
    expect((await deliver(server.url, delivery("customer.subscription.deleted", { customer }))).status).toBe(
      200,
    );
  });
});

describe("an account that is deleted during a checkout", () => {
  it("cannot be paid for afterwards", async () => {
    const user = await newSender(client, db, "FREE");
    const { url } = (await user.post("/api/billing/checkout", { tier: "PRO" })).json;
    expect((await user.delete("/api/account", { password: PASSWORD })).status).toBe(200);
    const checkout = () => stripe.checkouts.get(url.split("/").at(-1))?.status;
    await expect.poll(checkout).toBe("expired");
    expect(() => stripe.pay(url)).toThrow("expired");
  });

  it("gets a payment back that was made in between, and its subscription is cancelled, once", async () => {
    const user = await newSender(client, db, "FREE");
    const { url } = (await user.post("/api/billing/checkout", { tier: "PRO" })).json;
    stripe.behaviour = "failing";
    await user.delete("/api/account", { password: PASSWORD });
    const { customer, id } = stripe.pay(url);
    await untilTried(customer, 1);
    // The provider knows whole seconds only.
    await sql`
      update billing_cancellations
      set next_attempt_at = 'infinity', requested_at = requested_at - interval '2 seconds'
      where customer_id = ${customer}`.execute(db);
    stripe.behaviour = "normal";
    const refunded = () =>
      [...stripe.invoices.values()]
        .filter((invoice) => invoice.customer === customer)
        .map(({ amountPaid, amountRefunded }) => [amountPaid, amountRefunded]);
    expect(refunded()).toEqual([[2_000, 0]]);
    for (const type of ["checkout.session.completed", "invoice.paid", "customer.subscription.created"])
      expect((await deliver(server.url, delivery(type, { customer }))).status).toBe(200);
    await expect.poll(refunded).toEqual([[2_000, 2_000]]);
    expect(stripe.subscriptions.get(id)?.status).toBe("canceled");
    const creditNotes = () => stripe.calls.filter(({ path }) => path === "/v1/credit_notes").length;
    const before = creditNotes();
    await deliver(server.url, delivery("customer.subscription.deleted", { customer }));
    await untilEnded(customer);
    expect(creditNotes()).toBe(before);
  });

  it("keeps what was paid before the deletion, and ends the subscription", async () => {
    const user = await newSender(client, db, "FREE");
    const { url } = (await user.post("/api/billing/checkout", { tier: "PRO" })).json;
    const { customer, id } = stripe.pay(url);
    // The provider knows whole seconds only.
    for (const invoice of [...stripe.invoices.values()].filter((one) => one.customer === customer))
      stripe.invoices.set(invoice.id, { ...invoice, created: invoice.created - 2 });
    await user.delete("/api/account", { password: PASSWORD });
    await expect.poll(() => stripe.subscriptions.get(id)?.status).toBe("canceled");
    await untilEnded(customer);
    const [invoice] = [...stripe.invoices.values()].filter((one) => one.customer === customer);
    expect(invoice?.amountRefunded).toBe(0);
  });
});
