import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createDatabase, createPool, type Database } from "../../db/database.ts";
import { recountTraces } from "./recount-traces.ts";

let booted: Booted;
let db: Database;
beforeAll(async () => {
  booted = await boot();
  db = createDatabase(createPool(booted.databaseUrl, { max: 4 }));
  return () => db.destroy();
});

const NOTHING_WRONG = { removedTraces: 0, correctedAgentSessions: 0, corrections: {} };
const full = (n: number) => ({
  ...trace({
    status: ["RUNNING", "COMPLETED", "ERROR"][n % 3],
    startedAt: new Date(1_800_000_000_000 + n * 1_000).toISOString(),
    spans: [span({ input: n })],
    decisionPoints: [decision({ type: n % 2 ? "ROUTING" : "RETRY" })],
    events: [event()],
  }),
  sessionId: `session ${n % 7}`,
});

async function newUser(traceCount: number) {
  const user = await newSender(booted.client, booted.db);
  const traces = Array.from({ length: traceCount }, (_, n) => full(n));
  await user.send(traces);
  return { user, traces };
}

/** What lists show without a filter, which is stored, and what a query counts. */
async function totalsOf(user: Sender) {
  const { rows } = await sql`
    select (select count(*) from traces where workspace_id = ${user.workspaceId}) as traces,
      (select count(*) from decision_points where workspace_id = ${user.workspaceId}) as decisions,
      (select count(distinct session_id) from traces where workspace_id = ${user.workspaceId}) as sessions`.execute(
    db,
  );
  const total = async (path: string) => (await user.get(path)).json.total;
  const shown = {
    traces: await total("/api/traces"),
    decisions: await total("/api/decisions"),
    sessions: await total("/api/sessions"),
  };
  return { counted: rows[0], shown };
}

const deleteByHand = (user: Sender) =>
  sql`delete from traces where workspace_id = ${user.workspaceId} and started_at < to_timestamp(1800000100)`.execute(
    db,
  );

describe("a recount", () => {
  it("changes nothing if nothing is wrong, and nothing of other users", async () => {
    const { user } = await newUser(20);
    const { user: other } = await newUser(20);
    await sql`update trace_totals set completed = 99 where workspace_id = ${other.workspaceId}`.execute(db);
    expect(await recountTraces(db, user.workspaceId)).toEqual(NOTHING_WRONG);
    const { rows } =
      await sql`select completed from trace_totals where workspace_id = ${other.workspaceId}`.execute(db);
    expect(rows).toEqual([{ completed: 99 }]);
  });

  it("corrects totals and agent sessions after traces were deleted by hand, and deletes their orphaned rows", async () => {
    const { user, traces } = await newUser(150);
    await sql`delete from traces where workspace_id = ${user.workspaceId} and session_id = 'session 3'`.execute(
      db,
    );
    await deleteByHand(user);
    const removed = 100 + traces.slice(100).filter(({ sessionId }) => sessionId === "session 3").length;
    const recount = await recountTraces(db, user.workspaceId);
    expect([recount.removedTraces, recount.correctedAgentSessions]).toEqual([removed, 1]);
    const { counted, shown } = await totalsOf(user);
    expect(shown).toEqual(counted);
    expect(shown).toEqual({ traces: 150 - removed, decisions: 150 - removed, sessions: 6 });
    const { rows } = await sql`select from trace_payloads where workspace_id = ${user.workspaceId}`.execute(
      db,
    );
    expect(rows).toHaveLength(150 - removed);
    expect(await recountTraces(db, user.workspaceId)).toEqual(NOTHING_WRONG);
    // The ids are free again.
    expect((await user.send(traces.slice(0, 5))).status).toBe(200);
  });

  it("is exact while traces are stored, replaced and deleted", async () => {
    const { user, traces } = await newUser(150);
    await deleteByHand(user);
    await sql`update trace_totals set running = running + 5, retry = 0 where workspace_id = ${user.workspaceId}`.execute(
      db,
    );
    let isOver = false;
    const statuses = new Set<number>();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = writer; !isOver; n += 4) {
        const kept = traces[100 + (n % 50)];
        const one = full(n);
        statuses.add(
          (await user.send([one, { ...kept, status: one.status, sessionId: one.sessionId }])).status,
        );
        if (n % 3 === 0) await user.delete(`/api/traces/${one.id}`);
      }
    });
    await Promise.all([recountTraces(db, user.workspaceId), recountTraces(db, user.workspaceId)]);
    await recountTraces(db, user.workspaceId);
    isOver = true;
    await Promise.all(writers);
    const { counted, shown } = await totalsOf(user);
    expect(shown).toEqual(counted);
    expect([...statuses]).toEqual([200]);
    expect(await recountTraces(db, user.workspaceId)).toEqual(NOTHING_WRONG);
  });
});
