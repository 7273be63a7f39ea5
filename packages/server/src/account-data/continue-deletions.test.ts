import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
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
import { beforeEach, describe, expect, it } from "vitest";
import { permitSweep } from "../audit/sweep-events.ts";
import { transaction } from "../db/transaction.ts";
import { deleteWorkspace } from "../workspaces/delete-workspace.ts";
import { continueDeletions, type DeletionOptions } from "./continue-deletions.ts";

let booted: Booted;
beforeEach(async () => {
  booted = await boot();
});

const run = (options: Partial<DeletionOptions> = {}) =>
  continueDeletions({
    db: booted.db,
    log: { warn() {} },
    stopping: new AbortController().signal,
    ...options,
  });

/** A user whose account was deleted by a process that still holds the lease, and has deleted no trace yet. */
async function newDeletedUser(traceCount = 1): Promise<Sender> {
  const user = await newSender(booted.client, booted.db);
  const full = () =>
    trace({ sessionId: "s", spans: [span({ input: "x" })], decisionPoints: [decision()], events: [event()] });
  await user.send(Array.from({ length: traceCount }, full));
  await sql`
    insert into workspace_deletions (workspace_id, attempts, next_attempt_at)
    values (${user.workspaceId}, 1, '2100-01-01')`.execute(booted.db);
  await sql`
    insert into verdicts (workspace_id, trace_id, decision_point_id, verdict, agent_hash, signature, step)
    select ${user.workspaceId}, id, 'd', 'right', 1, 2, 3 from traces where workspace_id = ${user.workspaceId} limit 1`.execute(
    booted.db,
  );
  await sql`insert into decisions_set_aside (workspace_id, signature) values (${user.workspaceId}, 1)`.execute(
    booted.db,
  );
  await transaction(booted.db, async (trx) => {
    await permitSweep(trx);
    await deleteWorkspace(trx, user.workspaceId);
  });
  return user;
}

/**
 * The process has died and its leases have expired, first that of the first user. The server is stopped before, because its
 * own worker would continue the deletions, too.
 */
async function expireLeases(...users: Sender[]): Promise<void> {
  await booted.server.stop(0);
  for (const [index, { workspaceId }] of users.entries())
    await sql`
      update workspace_deletions set next_attempt_at = now() - ${users.length - index} * interval '1 second'
      where workspace_id = ${workspaceId}`.execute(booted.db);
}

async function rowsLeft({ workspaceId }: Sender): Promise<number> {
  const tables = [
    "traces",
    "spans",
    "decision_points",
    "events",
    "trace_payloads",
    "trace_owners",
    "trace_totals",
    "decision_days",
    "verdicts",
    "decisions_set_aside",
  ];
  const { rows } = await sql<{ count: number }>`
    select sum(count) as count from (${sql.join(
      [...tables, "agent_sessions", "trace_changes", "workspace_deletions"].map(
        (table) => sql`select count(*) from ${sql.table(table)} where workspace_id = ${workspaceId}`,
      ),
      sql` union all `,
    )}) as counts`.execute(booted.db);
  return Number(rows[0]?.count);
}

describe("an account deletion", () => {
  it("is finished by another process if the first one dies", async () => {
    const user = await newDeletedUser(20);
    expect(await rowsLeft(user)).toBeGreaterThan(100);
    await expireLeases(user);
    await run();
    expect(await rowsLeft(user)).toBe(0);
  });

  it("is left to the process that holds its lease", async () => {
    const user = await newDeletedUser();
    await expireLeases();
    const before = await rowsLeft(user);
    await run();
    expect(await rowsLeft(user)).toBe(before);
  });

  // A cluster allows no trigger on a distributed table.
  it.skipIf(isDistributed)(
    "that fails is tried again later, and does not keep the next account waiting",
    async () => {
      const failing = await newDeletedUser();
      const other = await newDeletedUser();
      await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
        booted.db,
      );
      await sql`
      create trigger refuse before delete on traces for each row
      when (old.workspace_id = ${sql.lit(failing.workspaceId)}) execute function refuse()`.execute(booted.db);
      await expireLeases(failing, other);
      await run();
      expect(await rowsLeft(other)).toBe(0);
      const { rows } = await sql`
      select attempts, next_attempt_at > now() + interval '50 seconds' as is_later
      from workspace_deletions where workspace_id = ${failing.workspaceId}`.execute(booted.db);
      expect(rows).toEqual([{ attempts: 2, isLater: true }]);
    },
  );

  it("shares its time with others, so that a large account does not keep them waiting", async () => {
    const large = await newDeletedUser(600);
    const small = await newDeletedUser(5);
    // The order is recorded where it happens: a test that looks from time to time can miss it.
    await sql`create table finished (position serial, workspace_id text)`.execute(booted.db);
    await sql`
      create function record() returns trigger language plpgsql as $$
      begin insert into finished (workspace_id) values (old.workspace_id); return null; end $$`.execute(
      booted.db,
    );
    await sql`
      create trigger record after delete on workspace_deletions for each row execute function record()`.execute(
      booted.db,
    );
    await expireLeases(large, small);
    await run({ timeSliceMs: 1 });
    const { rows } = await sql`select workspace_id from finished order by position`.execute(booted.db);
    expect(rows).toEqual([{ workspaceId: small.workspaceId }, { workspaceId: large.workspaceId }]);
    expect([await rowsLeft(small), await rowsLeft(large)]).toEqual([0, 0]);
  });

  it("stops between two chunks and gives its lease back", async () => {
    const user = await newDeletedUser(600);
    await expireLeases(user);
    const stopping = new AbortController();
    const ended = run({ stopping: stopping.signal });
    await expect.poll(() => rowsLeft(user), { interval: 5 }).toBeLessThan(2_400);
    stopping.abort();
    await ended;
    expect(await rowsLeft(user)).toBeGreaterThan(0);
    const { rows } = await sql`
      select next_attempt_at <= now() as is_due from workspace_deletions where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    expect(rows).toEqual([{ isDue: true }]);
    await run();
    expect(await rowsLeft(user)).toBe(0);
  });
});
