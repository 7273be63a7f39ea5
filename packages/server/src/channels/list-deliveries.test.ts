import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { HookReceiver } from "@whytrace/testing/server/hook-receiver.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const receiver = new HookReceiver();
const origin = await receiver.listen();
const { client, db } = await boot({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });

it("shows a message's state and attempts of one moment, also while an attempt ends", async () => {
  const user = await client.newUser();
  const channel = { kind: "webhook", name: "ops", url: `${origin}/hook` };
  const { id } = expectStatus(await user.post("/api/alerts/channels", channel), 201).json;
  expectStatus(await user.post(`/api/alerts/channels/${id}/test`, {}), 200);
  const list = async () => {
    const { json } = expectStatus(await user.get(`/api/alerts/channels/${id}/deliveries`), 200);
    const [{ state, attempts }] = json.deliveries;
    return { state, attempts: attempts.length };
  };
  await expect.poll(list).toEqual({ state: "delivered", attempts: 1 });

  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const listed = await db.transaction(async (trx) => {
    await sql`lock table delivery_attempts`.execute(trx);
    await sql`update alert_deliveries set state = 'failed' where workspace_id = ${user.workspaceId}`.execute(
      trx,
    );
    await sql`
      insert into delivery_attempts (workspace_id, delivery_id, number, at, status, duration_ms)
      select workspace_id, delivery_id, 2, now(), 500, 1 from delivery_attempts
      where workspace_id = ${user.workspaceId}`.execute(trx);
    const pending = list();
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
    return { pending };
  });
  expect(await listed.pending).toEqual({ state: "delivered", attempts: 1 });
  expect(await list()).toEqual({ state: "failed", attempts: 2 });
});
