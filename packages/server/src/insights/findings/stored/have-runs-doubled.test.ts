import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createDatabase, createPool } from "../../../db/database.ts";
import { refreshChangedFindings } from "./refresh-changed-findings.ts";

const { client, db, databaseUrl } = await boot();

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

it("keeps what a request computed of a list that the worker has stored before", async () => {
  const pool = createPool(databaseUrl, { max: 4 });
  const own = createDatabase(pool);
  const user = await newSender(client, db);
  await send(user, "a", 10);
  const readStored = async () => {
    const { rows } = await sql<{ counted: number; computedAt: string }>`
      select counted, computed_at from why_findings where workspace_id = ${user.workspaceId} and lens = 0`.execute(
      db,
    );
    return rows[0];
  };
  const refreshAndRead = async () => {
    await refreshChangedFindings({
      db: own,
      pool,
      log: { warn: () => {} },
      stopping: new AbortController().signal,
    });
    return (await readStored())?.counted;
  };
  await expect.poll(refreshAndRead).toBeGreaterThan(0);
  const byWorker = await readStored();
  await age(user);
  await send(user, "a", 10);
  expect(await runs(user)).toBe(20);
  const byRequest = await readStored();
  expect(byRequest?.computedAt).not.toBe(byWorker?.computedAt);
  // The worker still looks for what changed since it looked last.
  expect(byRequest?.counted).toBe(byWorker?.counted);
  await age(user);
  const aged = await readStored();
  expect(await runs(user)).toBe(20);
  expect(await readStored()).toEqual(aged);
  await own.destroy();
});
