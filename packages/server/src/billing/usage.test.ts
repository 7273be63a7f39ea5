import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { bootWithStripe, subscriptionOf } from "@whytrace/testing/server/boot-with-stripe.ts";
import { deliver, delivery } from "@whytrace/testing/server/fake-stripe.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db, server, stripe, newCustomer } = await bootWithStripe();

describe("a paid plan without a payment provider", () => {
  it("starts to count from 0 with each UTC month", async () => {
    const user = await newSender(client, db, "PRO");
    const set = (used: number, monthsAgo: number) =>
      sql`
      update subscriptions set sessions_used = ${used},
        usage_month = date_trunc('month', now() at time zone 'utc')::date - ${monthsAgo} * interval '1 month'
      where workspace_id = ${user.workspaceId}`.execute(db);
    const used = async () => (await user.get("/api/billing")).json.sessionsUsed;
    await set(100_000, 0);
    expect((await user.send([trace()])).status).toBe(429);
    await set(100_000, 1);
    expect(await used()).toBe(0);
    expect((await user.send([trace(), trace()])).status).toBe(200);
    expect(await used()).toBe(2);
    expect((await user.send([trace()])).status).toBe(200);
    expect(await used()).toBe(3);
  });

  it("does not reset within a period of the provider", async () => {
    const { user, customer } = await newCustomer();
    const periodStart = Math.floor(Date.now() / 1_000) - 86_400;
    stripe.put(subscriptionOf(customer, { periodStart }));
    await deliver(server.url, delivery("invoice.paid", { customer }));
    await sql`
      update subscriptions set sessions_used = 7, usage_month = usage_month - interval '1 month'
      where workspace_id = ${user.workspaceId}`.execute(db);
    expect((await user.get("/api/billing")).json.sessionsUsed).toBe(7);
    await user.send([trace()]);
    expect((await user.get("/api/billing")).json.sessionsUsed).toBe(8);
  });
});

describe("mails about usage", () => {
  const subjects = async (user: Sender) => {
    const { rows } = await sql<{ subject: string; text: string }>`
      select subject, text_body as text from mail_outbox
      where recipient = ${user.email} and subject like '%limit' order by created_at`.execute(db);
    const page = `${await prefixOf(db, user)}/settings/billing\n`;
    for (const { text } of rows) expect(text).toContain(page);
    return rows.map(({ subject }) => subject);
  };
  const [at80, at100] = ["You have used 80 % of your Whytrace limit", "You have reached your Whytrace limit"];

  it("are sent at 80 % and at 100 %, once per period, to a verified address", async () => {
    const user = await newSender(client, db, "FREE");
    const unproven = await newSender(client, db, "FREE");
    await sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(db);
    for (let i = 0; i < 20; i += 1) {
      await user.send([trace()]);
      if (i === 14) expect(await subjects(user)).toEqual([]);
      if (i === 15) expect(await subjects(user)).toEqual([at80]);
    }
    expect((await user.send([trace()])).status).toBe(429);
    expect(await subjects(user)).toEqual([at80, at100]);
    await unproven.send(Array.from({ length: 20 }, () => trace()));
    expect(await subjects(unproven)).toEqual([]);
  });

  it("are one if a single batch passes both", async () => {
    const user = await newSender(client, db, "FREE");
    await sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(db);
    await user.send(Array.from({ length: 25 }, () => trace()));
    expect(await subjects(user)).toEqual([at100]);
  });
});
