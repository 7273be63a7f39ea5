import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const { client, db } = await boot();

const DAY_MS = 24 * 3_600_000;
const runOf = (name: string) => {
  const startedAt = new Date(Date.now() - DAY_MS).toISOString();
  return trace({ name, startedAt, decisionPoints: [decision({ timestamp: startedAt })] });
};
const send = async (user: Sender, name: string, count: number) =>
  expectStatus(await user.send(Array.from({ length: count }, () => runOf(name))), 200);
const runs = async (user: Sender, query = "") =>
  expectStatus(await user.get(`/api/insights/findings${query}`), 200).json.runs;
/** Lets some minutes pass for the lists of a workspace. The worker would not compute them again within an hour. */
const age = (user: Sender, minutes = 5) =>
  sql`update why_findings set computed_at = computed_at - make_interval(mins => ${minutes})
    where workspace_id = ${user.workspaceId}`.execute(db);

it("computes a list of few runs again when it is read and there are twice as many", async () => {
  const user = await newSender(client, db);
  await send(user, "a", 10);
  expect(await runs(user)).toBe(10);
  await age(user);
  await send(user, "a", 9);
  expect(await runs(user)).toBe(10);
  await send(user, "a", 1);
  expect(await runs(user)).toBe(20);
  await send(user, "a", 30);
  // It was computed just now.
  expect(await runs(user)).toBe(20);
  await age(user);
  expect(await runs(user, "?agent=a")).toBe(50);
});

it("counts agents that have no list yet", async () => {
  const user = await newSender(client, db);
  await send(user, "a", 10);
  expect(await runs(user)).toBe(10);
  await age(user);
  await send(user, "b", 10);
  expect(await runs(user)).toBe(20);
});
