import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { bootWithStripe } from "@whytrace/testing/server/boot-with-stripe.ts";
import { describe, expect, it } from "vitest";

const { client, db, stripe } = await bootWithStripe();

describe("checkouts of one user", () => {
  const start = async (user: Sender, tier: string) =>
    (await user.post("/api/billing/checkout", { tier })).json.url as string;

  it("can be paid only once: a new one expires the earlier one, unless it was just paid", async () => {
    const user = await newSender(client, db, "FREE");
    const starter = await start(user, "STARTER");
    const pro = await start(user, "PRO");
    expect(() => stripe.pay(starter)).toThrow("expired");
    expect(await start(user, "PRO")).toBe(pro);
    stripe.pay(pro);
    expect((await user.post("/api/billing/checkout", { tier: "STARTER" })).status).toBe(409);
  });

  it("can be paid only once if sixteen start at the same time, for either plan", async () => {
    const user = await newSender(client, db, "FREE");
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, i) =>
        user.post("/api/billing/checkout", { tier: i % 2 ? "STARTER" : "PRO" }),
      ),
    );
    for (const { status, json } of responses)
      if (status !== 200) expect([status, json.error]).toEqual([409, expect.stringContaining("newer")]);
    // Requests at the same time may create several customers at the provider, of which the first one stored is used.
    const open = [...stripe.checkouts.values()].filter(
      ({ customer, status }) =>
        status === "open" && stripe.customers.get(customer)?.workspaceId === user.workspaceId,
    );
    expect(open).toHaveLength(1);
    expect(responses.some(({ json }) => json.url?.endsWith(open[0]?.id))).toBe(true);
  });

  it("start again at once after a failure, which the provider would repeat for the same idempotency key", async () => {
    const user = await newSender(client, db, "FREE");
    const checkout = () => user.post("/api/billing/checkout", { tier: "PRO" });
    stripe.behaviour = "failing";
    expect((await checkout()).status).toBe(503);
    stripe.behaviour = "normal";
    expect((await checkout()).status).toBe(200);
    // The second click within a minute repeats the first one.
    stripe.behaviour = "failing";
    expect((await checkout()).status).toBe(503);
    stripe.behaviour = "normal";
    expect((await checkout()).status).toBe(200);
  });
});
