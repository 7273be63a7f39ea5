import { bootWithStripe, subscriptionOf } from "@whytrace/testing/server/boot-with-stripe.ts";
import { PRICES } from "@whytrace/testing/server/fake-stripe.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { Provider } from "./provider.ts";
import { reconcileDaily } from "./reconcile-daily.ts";

const { db, databaseUrl, stripe, settings, newCustomer } = await bootWithStripe();

it("reads every subscription from the provider once a day, in case a webhook was lost", async () => {
  const payers = await Promise.all(Array.from({ length: 25 }, newCustomer));
  for (const { customer } of payers) stripe.put(subscriptionOf(customer, { price: PRICES.PRO }));
  const provider = new Provider(stripeConfig());
  const stopping = new AbortController().signal;
  const run = () => reconcileDaily({ db, provider, freeSessionsPerDay: 20, stopping });
  const readsOf = async (work: () => Promise<void>) => {
    const before = stripe.calls.length;
    await work();
    return stripe.calls.length - before;
  };
  expect(await readsOf(run)).toBe(0);
  await sql`update billing_customers set reconciled_at = now() - interval '25 hours'`.execute(db);
  expect(await readsOf(async () => void (await Promise.all([run(), run()])))).toBe(payers.length);
  const { rows } = await sql`select from subscriptions where tier = 'PRO'`.execute(db);
  expect(rows).toHaveLength(payers.length);
  expect(await readsOf(run)).toBe(0);
});

function stripeConfig() {
  const { stripe: config } = readConfig({ ...settings, DATABASE_URL: databaseUrl });
  if (!config) throw new Error("no provider configured");
  return config;
}
