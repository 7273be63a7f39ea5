import type { Tier } from "@whytrace/contract/schemas/billing";
import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RetentionLimits, readRetention } from "../billing/retention.ts";
import { Live } from "../live/live.ts";
import { deleteExpiredTraces } from "../trace-store/delete/delete-expired-traces.ts";
import { recountTraces } from "../trace-store/maintain/recount-traces.ts";
import { expireTraces } from "./expire-traces.ts";

const { client, db, databaseUrl } = await boot();
const live = new Live(db);
const gate = new pg.Client(databaseUrl);
const GATE = 4711;

const limits = (planDays: Partial<Record<Tier, number>>, installationDays: number | null = null) => ({
  installationDays,
  planDays: { FREE: null, STARTER: null, PRO: null, ...planDays },
});

/** Runs the worker once; returns how many traces it deleted. */
async function run(applied: RetentionLimits = limits({}), warnings: unknown[] = []): Promise<number> {
  let deleted = 0;
  await expireTraces({
    db,
    live,
    limits: applied,
    log: { warn: (fields) => warnings.push(fields) },
    stopping: new AbortController().signal,
    onDeleted: (count) => {
      deleted += count;
    },
  });
  return deleted;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** A trace of every kind of row; it was stored when it started. */
const aged = (days: number, overrides = {}) =>
  trace({
    sessionId: "s",
    startedAt: daysAgo(days),
    spans: [span({ input: { text: "x" } })],
    decisionPoints: [decision({ timestamp: daysAgo(days) })],
    events: [event()],
    ...overrides,
  });

async function sendAged(user: Sender, traces: { id: string; startedAt: string }[]): Promise<string[]> {
  expect((await user.send(traces)).status).toBe(200);
  for (const { id, startedAt } of traces)
    await sql`update traces set created_at = ${startedAt} where workspace_id = ${user.workspaceId} and id = ${id}`.execute(
      db,
    );
  return traces.map(({ id }) => id);
}

/** A user who keeps their traces for so many days. */
async function newUser(days: number | null): Promise<Sender> {
  const user = await newSender(client, db);
  await chooseDays(user, days);
  return user;
}

async function chooseDays(user: Sender, days: number | null) {
  expect((await user.put("/api/workspace/retention", { days })).status).toBe(200);
}

const traceIds = async (user: Sender): Promise<string[]> =>
  (await user.get("/api/traces?limit=100&sort=oldest")).json.traces.map((one: { id: string }) => one.id);

/** Everything that is stored about a user's traces equals what a recount finds. */
async function expectExact(user: Sender) {
  expect(await recountTraces(db, user.workspaceId)).toEqual({
    removedTraces: 0,
    correctedAgentSessions: 0,
    corrections: {},
  });
}

/** Deletions of traces wait while the gate is closed. Distributed tables have no triggers. */
beforeAll(async () => {
  await gate.connect();
  if (isDistributed) return;
  await sql`
    create function wait_at_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${sql.lit(GATE)}); return old; end $$`.execute(db);
  await sql`
    create trigger wait_at_gate before delete on traces for each row execute function wait_at_gate()`.execute(
    db,
  );
});
afterAll(() => gate.end());

async function closeGate() {
  await gate.query(`select pg_advisory_lock(${GATE})`);
  return {
    isReached: () => expect.poll(async () => (await waiting("advisory")) > 0, { interval: 5 }).toBe(true),
    open: () => gate.query(`select pg_advisory_unlock(${GATE})`),
  };
}

/** In this database: the other test files use the same PostgreSQL, and wait for locks too. */
async function waiting(locktype: string): Promise<number> {
  const { rows } = await gate.query(
    `select from pg_locks join pg_stat_activity using (pid)
     where not granted and locktype = $1 and datname = current_database()`,
    [locktype],
  );
  return rows.length;
}

describe("expired traces", () => {
  it("are deleted with everything in them; the totals, other traces, other users and the usage stay right", async () => {
    const user = await newUser(30);
    const other = await newUser(null);
    const [expired = "", ...kept] = await sendAged(user, [
      aged(30, { sessionId: "ended", status: "RUNNING" }),
      aged(29.99),
      aged(40, { startedAt: daysAgo(-1) }),
    ]);
    const late = aged(400);
    await user.send([late]);
    const others = await sendAged(other, [aged(400)]);
    await sql`
      insert into verdicts (workspace_id, trace_id, decision_point_id, verdict, agent_hash, signature, step)
      values (${user.workspaceId}, ${expired}, 'd', 'right', 1, 2, 3)`.execute(db);
    const usageBefore = (await user.get("/api/billing")).json;

    expect(await run()).toBe(1);

    expect((await traceIds(user)).sort()).toEqual([...kept, late.id].sort());
    expect(await traceIds(other)).toEqual(others);
    for (const table of [
      ...["spans", "decision_points", "events", "trace_payloads", "trace_manifests", "verdicts"],
      ...["otlp_parts", "trace_owners"],
    ]) {
      const { rows } = await sql`select from ${sql.table(table)} where trace_id = ${expired}`.execute(db);
      expect([table, rows.length]).toEqual([table, 0]);
    }
    const sessions = (await user.get("/api/sessions")).json.sessions;
    expect(sessions.map((session: { sessionId: string }) => session.sessionId)).toEqual(["s"]);
    const { rows: changes } = await sql<{ traces: string }>`
      select traces from trace_changes where workspace_id = ${user.workspaceId} order by position desc limit 1`.execute(
      db,
    );
    expect(JSON.parse(changes[0]?.traces ?? "")).toEqual([{ id: expired, change: "deleted" }]);
    expect((await user.get("/api/billing")).json).toEqual(usageBefore);
    await expectExact(user);
    await expectExact(other);
  });

  it("are found by the smallest limit of installation, plan and user", async () => {
    const user = await newUser(60);
    const [old = "", older = "", oldest = ""] = await sendAged(user, [aged(20), aged(45), aged(100)]);
    const ids = async () => (await traceIds(user)).reverse();
    await run(limits({ PRO: 90 }, 365));
    expect(await ids()).toEqual([old, older]);
    expect(oldest).not.toBe("");
    await run(limits({ PRO: 30 }, 365));
    expect(await ids()).toEqual([old]);
    await run(limits({ PRO: 30 }, 10));
    expect(await ids()).toEqual([]);
  });

  it("of a plan that began less than a week ago are kept, except by the other limits", async () => {
    const user = await newUser(60);
    const [old = ""] = await sendAged(user, [aged(20), aged(100)]);
    const setChange = (hours: number) =>
      sql`update subscriptions set tier_changed_at = now() - ${hours} * interval '1 hour' where workspace_id = ${user.workspaceId}`.execute(
        db,
      );
    await setChange(167.9);
    await run(limits({ PRO: 10 }));
    expect(await traceIds(user)).toEqual([old]);
    const { days, planned } = await readRetention(db, user.workspaceId, limits({ PRO: 10 }));
    expect([days, planned?.days]).toEqual([60, 10]);
    await setChange(168.1);
    await run(limits({ PRO: 10 }));
    expect(await traceIds(user)).toEqual([]);
  });

  it.skipIf(isDistributed)(
    "that are stored again while they are deleted are new traces afterwards, and count once more",
    async () => {
      const user = await newUser(30);
      const sent = aged(31, { name: "first" });
      await sendAged(user, [sent, aged(31)]);
      const { isReached, open } = await closeGate();
      const ended = run();
      await isReached();
      const again = user.send([{ ...sent, name: "again" }]);
      await expect.poll(() => waiting("transactionid"), { interval: 5 }).toBeGreaterThan(0);
      await open();
      expect(await ended).toBe(2);
      expect((await again).status).toBe(200);
      expect((await user.get(`/api/traces/${sent.id}`)).json).toMatchObject({ name: "again" });
      expect(await run()).toBe(0);
      expect(await traceIds(user)).toEqual([sent.id]);
      expect((await user.get("/api/billing")).json.sessionsUsed).toBe(3);
      await expectExact(user);
    },
  );

  it("that are being stored again when they are looked at are left out, and stay if they start anew", async () => {
    const user = await newUser(30);
    const [kept] = await sendAged(user, [aged(32), aged(31)]);
    await gate.query("begin");
    await gate.query("update traces set started_at = now() where workspace_id = $1 and id = $2", [
      user.workspaceId,
      kept,
    ]);
    expect(await run()).toBe(1);
    await gate.query("commit");
    expect(await run()).toBe(0);
    expect(await traceIds(user)).toEqual([kept]);
  });

  it.skipIf(isDistributed)(
    "are not deleted by days that were in force before: a choice that was confirmed holds",
    async () => {
      const user = await newUser(30);
      const ids = await sendAged(user, [aged(50), aged(40)]);
      const { isReached, open } = await closeGate();
      const ended = run();
      await isReached();
      await chooseDays(user, 90);
      await open();
      expect(await ended).toBe(0);
      expect(await traceIds(user)).toEqual(ids);
      await expectExact(user);
    },
  );

  it("are deleted once if two processes do it at the same time", async () => {
    const user = await newUser(null);
    await sendAged(
      user,
      Array.from({ length: 150 }, () => aged(31)),
    );
    const process = async () => {
      let deleted = 0;
      const expired = { workspaceId: user.workspaceId, days: 30, lockDays: async () => 30 };
      for await (const count of deleteExpiredTraces({ db, live }, expired)) deleted += count;
      return deleted;
    };
    const [first, second] = await Promise.all([process(), process()]);
    expect(first + second).toBe(150);
    await expectExact(user);
  });

  it.skipIf(isDistributed)("of one user that cannot be deleted do not keep those of others", async () => {
    const failing = await newUser(30);
    const other = await newUser(30);
    const ids = await sendAged(failing, [aged(31)]);
    await sendAged(other, [aged(31)]);
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
      db,
    );
    await sql`
      create trigger refuse before delete on spans for each row
      when (old.workspace_id = ${sql.lit(failing.workspaceId)}) execute function refuse()`.execute(db);
    const warnings: unknown[] = [];
    expect(await run(limits({}), warnings)).toBe(1);
    expect(warnings).toHaveLength(1);
    expect(await traceIds(failing)).toEqual(ids);
    expect(await traceIds(other)).toEqual([]);
    await sql`drop trigger refuse on spans`.execute(db);
  });
});
