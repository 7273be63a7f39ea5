import { newSender, setSubscription, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const { client, db } = await boot();

it("are counted from the first one of the period on, and forgotten with the next period", async () => {
  const user = await newSender(client, db);
  const refused = async () => (await user.get("/api/billing")).json.refused;
  await user.send([trace()]);
  expect(await refused()).toBeNull();
  await setSubscription(db, user.workspaceId, { tier: "PRO", limit: 10, used: 10 });
  const startedAtMs = Date.now();
  for (let sent = 0; sent < 3; sent += 1) expect((await user.send([trace()])).status).toBe(429);
  await expect.poll(async () => (await refused())?.requests).toBe(3);
  const { since } = await refused();
  expect(Math.abs(Date.parse(since) - startedAtMs)).toBeLessThan(60_000);
  await user.send([trace()]);
  await expect.poll(async () => (await refused())?.requests).toBe(4);
  expect((await refused()).since).toBe(since);
  await sql`update subscriptions set refused_since = refused_since - interval '2 months'
    where workspace_id = ${user.workspaceId}`.execute(db);
  expect(await refused()).toBeNull();
  await user.send([trace()]);
  await expect.poll(async () => (await refused())?.requests).toBe(1);
});
