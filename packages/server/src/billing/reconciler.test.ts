import { setTimeout as sleep } from "node:timers/promises";
import { type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { bootWithStripe, subscriptionOf } from "@whytrace/testing/server/boot-with-stripe.ts";
import { PRICES } from "@whytrace/testing/server/fake-stripe.ts";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { ProviderCalls } from "./provider-calls.ts";

const { db, databaseUrl, stripe, settings, newCustomer } = await bootWithStripe();

describe("a lost webhook", () => {
  /** A user who has used up the FREE plan, and whose payment nobody told us about. */
  async function newPayer() {
    const { user, customer } = await newCustomer();
    await user.send(Array.from({ length: 20 }, () => trace()));
    stripe.put(subscriptionOf(customer, { price: PRICES.PRO }));
    const reconciledAgo = (time: string) =>
      sql`update billing_customers set reconciled_at = now() - ${time}::interval where workspace_id = ${user.workspaceId}`.execute(
        db,
      );
    const reads = () => stripe.calls.filter(({ path }) => path === "/v1/subscriptions").length;
    return { user, reconciledAgo, reads };
  }
  const tierOf = async (user: Sender) => {
    const { rows } = await sql<{ tier: string }>`
      select tier from subscriptions where workspace_id = ${user.workspaceId}`.execute(db);
    return rows[0]?.tier;
  };

  it("blocks a payer for at most a minute: a blocked request asks the provider, once a minute", async () => {
    const { user, reconciledAgo, reads } = await newPayer();
    await reconciledAgo("50 seconds");
    expect((await user.send([trace()])).status).toBe(429);
    await sleep(300);
    expect(await tierOf(user)).toBe("FREE");
    await reconciledAgo("61 seconds");
    const other = await boot({ ...settings, DATABASE_URL: databaseUrl });
    const before = reads();
    const headers = { authorization: `Bearer ${user.key}` };
    const send = () => other.client.post("/api/traces", { traces: [trace()] }, { headers });
    // The provider answers after all eight have been refused: a user's requests may wait for one another.
    const answer = Promise.withResolvers<void>();
    stripe.behaviour = { until: answer.promise };
    const blocked = await Promise.all(Array.from({ length: 8 }, send));
    stripe.behaviour = "normal";
    answer.resolve();
    for (const { status, headers } of blocked) {
      expect(status).toBe(429);
      expect(headers.get("retry-after")).toBeTruthy();
    }
    await expect.poll(() => tierOf(user)).toBe("PRO");
    expect((await send()).status).toBe(200);
    expect(reads() - before).toBe(1);
  });

  it("is made up for when the payer looks at the plan", async () => {
    const { user, reconciledAgo } = await newPayer();
    await reconciledAgo("61 seconds");
    await user.get("/api/billing");
    await expect.poll(() => tierOf(user)).toBe("PRO");
  });

  it("does not matter to the requests of a blocked user if the provider is down", async () => {
    const { user, reconciledAgo } = await newPayer();
    await reconciledAgo("61 seconds");
    stripe.behaviour = { until: new Promise(() => {}) };
    const calls = vi.spyOn(ProviderCalls.prototype, "subscriptionsOf");
    expect((await user.send([trace()])).status).toBe(429);
    expect((await user.get("/api/billing")).json.tier).toBe("FREE");
    // What waits for the provider would be answered after the provider's deadline.
    expect(calls.mock.settledResults.map(({ type }) => type)).not.toContain("rejected");
    await expect.poll(() => calls.mock.calls).toHaveLength(1);
    calls.mockRestore();
  });
});
