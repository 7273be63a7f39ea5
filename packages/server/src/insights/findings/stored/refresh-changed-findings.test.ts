import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createDatabase, createPool } from "../../../db/database.ts";
import { agentHash } from "../../../decision-facts/agent-hash.ts";
import type { FindingsKey } from "../../../trace-store/counts/why-findings.ts";
import { readSituationKeys, saveSituationKeys } from "../situation/situation-keys.ts";
import { numberOfLens } from "./finding-windows.ts";
import { type FindingsConnections, poolConnections } from "./findings-connections.ts";
import { readStoredFindings } from "./read-stored-findings.ts";
import { refreshChangedFindings } from "./refresh-changed-findings.ts";
import { refreshFindings } from "./refresh-findings.ts";

const { client, db, databaseUrl } = await boot();

const warnings: object[] = [];
const log = { warn: (fields: object) => warnings.push(fields) };

/** A process with its own connections. */
function newProcess() {
  const pool = createPool(databaseUrl, { max: 4 });
  const own = createDatabase(pool);
  return {
    refresh: () => refreshChangedFindings({ db: own, pool, log, stopping: new AbortController().signal }),
    end: () => own.destroy(),
  };
}

const DAY_MS = 24 * 3_600_000;
const runOf = (name: string, daysAgo = 1) => {
  const startedAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  return trace({ name, startedAt, decisionPoints: [decision({ timestamp: startedAt })] });
};

interface StoredRow {
  lens: number;
  windowDays: number;
  counted: number;
  runs: number;
  computedAt: string;
}
async function listStored(user: Sender): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select lens, window_days, counted, (body->>'runs')::integer as runs, computed_at from why_findings
    where workspace_id = ${user.workspaceId} order by agent_hash, lens, window_days`.execute(db);
  return rows;
}
/** Lets time pass for the lists of a workspace. */
const age = (user: Sender, hours: number) =>
  sql`update why_findings set computed_at = computed_at - make_interval(hours => ${hours})
    where workspace_id = ${user.workspaceId}`.execute(db);
/** To be polled: the server's own worker computes the same lists, and keeps a lease for a while after the last one. */
async function refreshAndList(
  one: ReturnType<typeof newProcess> | undefined,
  user: Sender,
): Promise<StoredRow[]> {
  await one?.refresh();
  return listStored(user);
}
const refreshAndCount = async (one: ReturnType<typeof newProcess> | undefined, user: Sender) =>
  (await refreshAndList(one, user)).length;
const sortedRuns = (rows: StoredRow[]) => rows.map(({ runs }) => runs).sort();

it("computes lists of failures and errors for each agent, and what changed at most once an hour", async () => {
  const one = newProcess();
  const user = await newSender(client, db);
  expectStatus(await user.send([runOf("a"), runOf("a"), runOf("b"), runOf("old", 60)]), 200);
  await expect.poll(() => refreshAndCount(one, user)).toBe(4);
  expect(sortedRuns(await listStored(user))).toEqual([1, 1, 2, 2]);
  await user.send([runOf("a")]);
  expect(sortedRuns(await refreshAndList(one, user))).toEqual([1, 1, 2, 2]);
  await age(user, 2);
  const before = await listStored(user);
  await expect.poll(async () => sortedRuns(await refreshAndList(one, user))).toEqual([1, 1, 3, 3]);
  const after = await listStored(user);
  // Nothing changed for the other agent, so its lists are not computed again; they are valid for the newest version.
  const computed = after.filter(({ computedAt }, index) => computedAt !== before[index]?.computedAt);
  expect(computed.map(({ runs }) => runs)).toEqual([3, 3]);
  expect(new Set(after.map(({ counted }) => counted)).size).toBe(1);
  await one.end();
});

it("computes lists once a day in any case, and those of other windows once somebody asked for them", async () => {
  const one = newProcess();
  const user = await newSender(client, db);
  await user.send([runOf("a"), runOf("a", 60)]);
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const path = `/api/insights/findings?from=${day(89)}T00:00:00Z&to=${new Date().toISOString()}`;
  expect((await user.get(path)).json).toMatchObject({ watched: true, runs: 2 });
  await expect.poll(() => refreshAndCount(one, user)).toBe(3);
  expect((await listStored(user)).map((row) => [row.lens, row.windowDays, row.runs])).toEqual([
    [0, 30, 1],
    [0, 90, 2],
    [1, 30, 1],
  ]);
  await age(user, 25);
  const before = await listStored(user);
  const isEachComputed = async () =>
    (await refreshAndList(one, user)).every(
      ({ computedAt }, index) => computedAt !== before[index]?.computedAt,
    );
  await expect.poll(isEachComputed).toBe(true);
  await one.end();
});

it("computes lists of another version again, although their runs did not change", async () => {
  const one = newProcess();
  const user = await newSender(client, db);
  await user.send([runOf("a")]);
  await expect.poll(() => refreshAndCount(one, user)).toBe(2);
  await sql`
    update why_findings set body = jsonb_set(body, '{version}', '0') where workspace_id = ${user.workspaceId}`.execute(
    db,
  );
  await user.send([runOf("b")]);
  const hasOldVersion = async () => {
    await one.refresh();
    const { rows } = await sql`
      select from why_findings where workspace_id = ${user.workspaceId} and body->>'version' = '0'`.execute(
      db,
    );
    return rows.length > 0;
  };
  await expect.poll(hasOldVersion).toBe(false);
  expect(sortedRuns(await listStored(user))).toEqual([1, 1, 1, 1]);
  await one.end();
});

it("is divided between processes: each list is computed by one of them", async () => {
  const processes = [newProcess(), newProcess()];
  const users: Sender[] = [];
  for (let count = 0; count < 4; count += 1) {
    const user = await newSender(client, db);
    await user.send([runOf("a"), runOf("b")]);
    users.push(user);
  }
  const counts = await Promise.all(processes.map(({ refresh }) => refresh()));
  // The server's own worker may have taken some of them.
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(4 * 4);
  for (const user of users) await expect.poll(() => refreshAndCount(processes[0], user)).toBe(4);
  await Promise.all(processes.map(({ end }) => end()));
});

it("deletes lists of agents that have no runs in the window any more", async () => {
  const one = newProcess();
  const user = await newSender(client, db);
  const moved = runOf("a");
  await user.send([moved, runOf("b")]);
  await expect.poll(() => refreshAndCount(one, user)).toBe(4);
  await user.send([{ ...moved, name: "b" }]);
  await age(user, 2);
  await expect.poll(async () => sortedRuns(await refreshAndList(one, user))).toEqual([2, 2]);
  await one.end();
  expect(warnings).toEqual([]);
});

it("does not let an older computation replace a newer one", async () => {
  const user = await newSender(client, db);
  await user.send([runOf("a")]);
  await user.get("/api/insights/findings");
  const [stored] = await listStored(user);
  await sql`
    update why_findings set counted = counted + 1000 where workspace_id = ${user.workspaceId}`.execute(db);
  await age(user, 25);
  const one = newProcess();
  await one.refresh();
  const failed = (await listStored(user)).find(({ lens }) => lens === 0);
  expect(failed?.counted).toBe((stored?.counted ?? 0) + 1_000);
  await one.end();
});

it("does not take for current what was computed with situation keys that were replaced meanwhile", async () => {
  const user = await newSender(client, db);
  await user.send([runOf("worker")]);
  const pool = createPool(databaseUrl, { max: 2 });
  const own = poolConnections(pool);
  const { workspaceId } = user;
  const keysAtLooks = async (list: FindingsKey, changes: string[]) => {
    const looks: string[][] = [];
    const connections: FindingsConnections = {
      ...own,
      async snapshot(_workspaceId, work) {
        const read = await own.snapshot(workspaceId, async (snapshot) => {
          looks.push(await readSituationKeys(snapshot, workspaceId, list.agentHash));
          return work(snapshot);
        });
        const keys = changes.splice(0, 1);
        if (keys.length > 0) await saveSituationKeys(db, workspaceId, { ...agent, keys });
        return read;
      },
    };
    await refreshFindings(connections, workspaceId, list, { isWorker: true });
    return looks;
  };
  const agent = { agent: "worker", agentHash: agentHash("worker") };
  const list = { agentHash: agent.agentHash, lens: numberOfLens("scored"), windowDays: 7 };
  const isCurrent = async () =>
    (await readStoredFindings(db, workspaceId, { lens: list.lens, windowDays: list.windowDays })).length > 0;
  // Its first list is not stored yet.
  expect(await keysAtLooks(list, ["one"])).toEqual([[], ["one"]]);
  expect(await isCurrent()).toBe(true);
  expect(await keysAtLooks(list, ["two"])).toEqual([["one"], ["two"]]);
  expect(await isCurrent()).toBe(true);
  // Keys that are replaced again and again: the next look computes the list.
  expect(await keysAtLooks(list, ["three", "four", "five"])).toHaveLength(3);
  expect(await isCurrent()).toBe(false);
  expect(await keysAtLooks(list, [])).toEqual([["five"]]);
  expect(await isCurrent()).toBe(true);
  await pool.end();
});
