import { randomUUID } from "node:crypto";
import { beforeEach } from "vitest";
import { afterFile } from "../after-file.ts";
import { newSender, type Sender } from "../samples/sample-traces.ts";
import { type Booted, boot } from "./boot.ts";
import { expectStatus } from "./client.ts";
import { FakeStripe, type FakeSubscription, PRICES } from "./fake-stripe.ts";

interface BootedWithStripe extends Booted {
  stripe: FakeStripe;
  /** The environment of another server with the same provider. */
  settings: Record<string, string>;
  /** A user who has started a checkout, and so is a customer at the provider. */
  newCustomer(): Promise<{ user: Sender; customer: string }>;
}

/** Starts a server whose payment provider is a fake one of this test. */
export async function bootWithStripe(): Promise<BootedWithStripe> {
  const stripe = new FakeStripe();
  const settings = await stripe.settings();
  beforeEach(() => {
    stripe.behaviour = "normal";
  });
  afterFile(() => stripe.close());
  const booted = await boot(settings, { pausesMs: { cancellations: 50 } });
  return {
    ...booted,
    stripe,
    settings,
    async newCustomer() {
      const user = await newSender(booted.client, booted.db, "FREE");
      expectStatus(await user.post("/api/billing/checkout", { tier: "STARTER" }), 200);
      const customer = [...stripe.customers].find(
        ([, { workspaceId }]) => workspaceId === user.workspaceId,
      )?.[0];
      if (!customer) throw new Error("no customer");
      return { user, customer };
    },
  };
}

export const subscriptionOf = (
  customer: string,
  overrides: Partial<FakeSubscription> = {},
): FakeSubscription => ({
  id: `sub_${randomUUID()}`,
  customer,
  status: "active",
  price: PRICES.STARTER,
  created: 1_800_000_000,
  periodStart: 1_800_000_000,
  ...overrides,
});
