import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { countEndedRuns } from "./count-ended-runs.ts";

const DAY_MS = 86_400_000;
const NOW = Date.now();
const dayFrom = (days: number) => new Date(NOW + days * DAY_MS).toISOString().slice(0, 10);

let booted: Booted;

beforeAll(async () => {
  booted = await boot();
});

async function send(user: Sender, startedAt: number) {
  const at = new Date(startedAt).toISOString();
  expectStatus(await user.send([trace({ status: "ERROR", startedAt: at, endedAt: at })]), 200);
}

async function count(user: Sender, from: string, to: string): Promise<number> {
  const runs = await countEndedRuns(booted.db, user.workspaceId, { from, to });
  return [...runs.values()].reduce((sum, one) => sum + one, 0);
}

it("counts every run of a workspace with few traces, at once", async () => {
  const user = await newSender(booted.client, booted.db);
  for (const days of [-3, -1, 0]) await send(user, NOW + days * DAY_MS);
  // The agent is counted as soon as it has an issue.
  await expect.poll(() => count(user, dayFrom(-7), dayFrom(1))).toBe(3);
  await send(user, NOW - 3 * DAY_MS);
  expect(await count(user, dayFrom(-7), dayFrom(1))).toBe(4);
});

it("counts the runs of today at once and older ones seldom, if there are many traces", async () => {
  const user = await newSender(booted.client, booted.db);
  for (const days of [-3, -1, 0]) await send(user, NOW + days * DAY_MS);
  await expect.poll(() => count(user, dayFrom(-7), dayFrom(1))).toBe(3);
  await sql`update trace_totals set completed = 50001 where workspace_id = ${user.workspaceId}`.execute(
    booted.db,
  );
  expect(await count(user, dayFrom(-7), dayFrom(1))).toBe(3);
  await send(user, NOW - 3 * DAY_MS);
  await send(user, NOW);
  expect(await count(user, dayFrom(-7), dayFrom(1))).toBe(4);
  expect(await count(user, dayFrom(-2), dayFrom(1))).toBe(3);
  expect(await count(user, dayFrom(-7), dayFrom(-2))).toBe(2);
  expect(await count(user, dayFrom(0), dayFrom(1))).toBe(2);
});
